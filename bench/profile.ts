// Where the processor time of one written release goes, on both engines and for three sizes of a write. It has no target:
// it is what a change of the write path is measured by. On SQLite each statement is timed in the thread that runs it; on
// PostgreSQL the time of all statements is that of the server's processes, where the kernel tells it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { sql } from 'kysely';
import { createApp } from '../src/app.ts';
import { bulkReleases } from '../src/cli/generate-rows.ts';
import { readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { SYSTEM } from '../src/contract/caller.ts';
import { batchInput } from '../src/contract/release-input.ts';
import { deriveNotes, releaseType } from '../src/domain/notes/index.ts';
import { contentHash } from '../src/domain/release-identity.ts';
import { textTokens } from '../src/domain/tokens/index.ts';
import { createOrg } from '../src/entities/orgs/create.ts';
import { createSource } from '../src/entities/sources/create.ts';
import { foldTexts } from '../src/releases/indexing/release-text.ts';
import type { Draft } from '../src/releases/write/draft.ts';
import { draftFromInput, writeReleases } from '../src/releases/write/write-batch.ts';
import { textVector } from '../src/store/postgres/text-vector.ts';
import { createDatabase, startPostgres } from '../test/support/postgres.ts';
import { countRoundTrips } from '../test/support/round-trips.ts';
import { processorMsOf, threadMs } from './processor-time.ts';

const SIZES = [1, 100, 500] as const;
// Compiled code is measured, so each size is written this often before.
const WARM_UP = { 1: 400, 100: 10, 500: 4 } as const;
const MEASURED = { 1: 200, 100: 10, 500: 6 } as const;

// Of one org, so that coverage has something to compare.
const SOURCES = 20;
// One list for all releases, as in a batch.
const NAMES = ['Acme', 'Source'];

type Size = (typeof SIZES)[number];

// The first pattern that a statement matches says which part of a write it belongs to.
const STATEMENTS: readonly [part: string, pattern: RegExp][] = [
  ['SQL: change tracking', /data_changes|update "counters"/i],
  ['SQL: event', /^\s*insert into "?events|'event_seq'/i],
  ['SQL: audit', /audit_log/i],
  ['SQL: full text', /^\s*insert or replace into release_fts/i],
  ['SQL: releases', /^\s*insert into "releases"/i],
  ['SQL: figures and counters', /release_days|source_figures|counters|update orgs|"orgs" set|"sources" set/i],
  ['SQL: commit', /^\s*(?:begin|commit)/i],
  ['SQL: reads', /./],
];

// Milliseconds of processor time, or a count, of one release.
type Column = Map<string, number>;

export async function printProfile(): Promise<void> {
  const columns: [name: string, column: Column][] = [];
  for (const size of SIZES) columns.push([`SQLite, ${size}`, await onSqlite(size)]);
  const server = await startPostgres();
  try {
    for (const size of SIZES) columns.push([`PostgreSQL, ${size}`, await onPostgres(server.url, size)]);
  } finally {
    await server.stop();
  }
  const parts = [...new Set(columns.flatMap(([, column]) => [...column.keys()]))].sort(
    (a, b) => Number(isCount(a)) - Number(isCount(b)),
  );
  const digits = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(3));
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  console.log(row(['a release', ...columns.map(([name]) => name)]));
  console.log(row(['---', ...columns.map(() => '---:')]));
  for (const part of parts) {
    console.log(row([part, ...columns.map(([, column]) => digits(column.get(part) ?? Number.NaN).replace('NaN', ''))]));
  }
}

function isCount(part: string): boolean {
  return part.endsWith('of a write');
}

async function onSqlite(size: Size): Promise<Column> {
  const statements = timeStatements();
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  try {
    return await profile({ REGISTRY_DATA_DIR: folder }, size, {
      before: async () => statements.reset(),
      after: async (column, releases) => {
        for (const [part] of STATEMENTS) column.set(part, (statements.spent.get(part) ?? 0) / releases);
        column.set('statements of a write', Math.round(statements.count() / MEASURED[size]));
      },
    });
  } finally {
    statements.stop();
    rmSync(folder, { recursive: true });
  }
}

async function onPostgres(adminUrl: string, size: Size): Promise<Column> {
  const database = await createDatabase(adminUrl);
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  let began = 0;
  try {
    const env = { REGISTRY_DATA_DIR: folder, REGISTRY_DATABASE_URL: database.url };
    return await profile(env, size, {
      before: async (ctx) => {
        began = await serverMs(ctx);
      },
      after: async (column, releases, { ctx, write }) => {
        column.set('SQL: all of it, in the server', ((await serverMs(ctx)) - began) / releases);
        const { statements, trips } = await countRoundTrips(write);
        column.set('statements of a write', statements);
        column.set('round trips of a write', trips);
      },
    });
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true });
  }
}

interface EngineCounts {
  before(ctx: Context): Promise<void>;
  after(column: Column, releases: number, more: { ctx: Context; write: () => Promise<unknown> }): Promise<void>;
}

async function profile(env: Record<string, string>, size: Size, engine: EngineCounts): Promise<Column> {
  const app = await createApp(readConfig({ ...env, REGISTRY_LOG_LEVEL: 'warn' }));
  try {
    await app.ctx.store.migrate();
    // An operator, whose writes have an audit row.
    const ctx: Context = { ...app.ctx, caller: { ...SYSTEM, kind: 'root', name: 'root' } };
    const { id: orgId } = await createOrg(ctx, { name: 'Acme' });
    const sources: string[] = [];
    for (let index = 0; index < SOURCES; index += 1) {
      const source = { name: `Source ${index}`, url: `https://bulk.example/${index}`, type: 'feed' as const, orgId };
      sources.push((await createSource(ctx, source)).id);
    }
    const bodies = Array.from({ length: WARM_UP[size] + MEASURED[size] + 1 }, (_, index) => {
      const releases = bulkReleases({ sourceIndex: index, count: size, seed: 1, now: ctx.clock() });
      return { src: sources[index % SOURCES] ?? '', body: JSON.stringify({ releases }) };
    });
    const write = async ({ src, body }: (typeof bodies)[number]) =>
      writeReleases(ctx, { path: { src }, rows: batchInput.parse(JSON.parse(body)).releases });
    const last = bodies.pop();
    const measured = bodies.splice(WARM_UP[size]);
    for (const one of bodies) await write(one);
    await engine.before(ctx);
    const whole = await processorMs(async () => {
      for (const one of measured) await write(one);
    });
    const releases = size * MEASURED[size];
    const column = await partsOf(
      measured.map(({ body }) => body),
      ctx.store.engineName === 'postgres',
    );
    const used = [...column.values()].reduce((sum, value) => sum + value, 0);
    await engine.after(column, releases, { ctx, write: async () => last && write(last) });
    const inStatements = [...column].filter(([part]) => part.startsWith('SQL: ') && !part.includes('server'));
    const rest = whole / releases - used - inStatements.reduce((sum, [, value]) => sum + value, 0);
    column.set('everything else in the process', rest);
    column.set('the whole process', whole / releases);
    return column;
  } finally {
    await app.close();
  }
}

// The parts of a write that are no statement, each alone on the texts of the measured writes.
async function partsOf(bodies: readonly string[], isPostgres: boolean): Promise<Column> {
  const parse = (body: string) => batchInput.parse(JSON.parse(body)).releases;
  const drafts = bodies.flatMap(parse).map(draftFromInput);
  const each = async <T>(values: readonly T[], work: (value: T) => unknown) =>
    (await processorMs(async () => {
      for (const value of values) work(value);
    })) / drafts.length;
  return new Map([
    ['parse', await each(bodies, parse)],
    ['derive', await each(drafts, derive)],
    ['tokens', await each(drafts, ({ content }) => textTokens(content))],
    ['hash', await each(drafts, contentHash)],
    ['words for search', await each(drafts, (draft) => words(draft, isPostgres))],
  ]);
}

function derive({ title, content, version }: Draft): unknown {
  return deriveNotes({
    title,
    content,
    version,
    versionNumbers: version?.split('.') ?? [],
    step: null,
    prerelease: false,
    type: releaseType(title, content),
    origin: 'api',
    names: NAMES,
    displayName: 'Source',
  });
}

function words({ title, content, version }: Draft, isPostgres: boolean): unknown {
  const none = { title_generated: null, package_part: null, productName: null, summary: '' };
  const texts = foldTexts({ title, content, version, ...none });
  return isPostgres ? textVector({ key: 0, scope: '', ...texts }) : texts;
}

// Of this thread alone: what others do on the machine does not count.
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const began = threadMs();
  await work();
  return threadMs() - began;
}

// The processes of the server that work for this database.
async function serverMs(ctx: Context): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database()`.execute(ctx.store.read);
  try {
    return rows.reduce((sum, { pid }) => sum + processorMsOf(pid), 0);
  } catch {
    return Number.NaN;
  }
}

// Times every statement of SQLite that is prepared from now on.
function timeStatements() {
  const spent = new Map<string, number>();
  let count = 0;
  const { prepare, exec } = DatabaseSync.prototype;
  const timed =
    <Args extends unknown[], Answer>(text: string, run: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      const [part = ''] = STATEMENTS.find(([, pattern]) => pattern.test(text)) ?? [];
      const began = threadMs();
      try {
        return run(...args);
      } finally {
        spent.set(part, (spent.get(part) ?? 0) + threadMs() - began);
        count += 1;
      }
    };
  DatabaseSync.prototype.prepare = function prepareTimed(this: DatabaseSync, text: string): StatementSync {
    const statement = prepare.call(this, text);
    statement.run = timed(text, statement.run.bind(statement)) as typeof statement.run;
    statement.all = timed(text, statement.all.bind(statement)) as typeof statement.all;
    return statement;
  };
  DatabaseSync.prototype.exec = function execTimed(this: DatabaseSync, text: string): void {
    timed(text, () => exec.call(this, text))();
  };
  return {
    spent,
    count: () => count,
    reset() {
      spent.clear();
      count = 0;
    },
    stop() {
      DatabaseSync.prototype.prepare = prepare;
      DatabaseSync.prototype.exec = exec;
    },
  };
}
