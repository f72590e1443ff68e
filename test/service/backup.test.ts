// A backup that a separate process takes while releases are written: the restored registry answers every public read
// like the original at that moment.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, watch, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { runCommand } from '../../src/main.ts';
import { repairFigures } from '../../src/releases/write/repair.ts';
import { readTables } from '../../src/search/vectors/pgvector/tables.ts';
import { withSingleConnection } from '../../src/store/postgres/pool.ts';
import { DEMO_NOW, openDemoDatabase } from '../support/demo.ts';
import { forEachEngine, ROOT_KEY, SECRET } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { answersOf, assertSameAnswers, publicReads } from '../support/public-answers.ts';
import { startRegistry } from '../support/registry-process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { startService } from '../support/service.ts';

const SECRETS = { REGISTRY_ROOT_KEY: ROOT_KEY, REGISTRY_SECRET: SECRET, REGISTRY_LOG_LEVEL: 'silent' };

const STATE_PAUSE_MS = 300;

// Resolves at the first change after the call.
async function firstChange(folder: string): Promise<void> {
  for await (const _ of watch(folder, { persistent: false })) return;
}

forEachEngine('backup and restore', (engine) => {
  let folder = '';
  let database: Record<string, string>;
  let restored: Record<string, string>;
  let states: { version: number; answers: Map<string, string> }[] = [];
  let reads: string[] = [];
  let file = '';
  let storedVersion: () => Promise<number>;

  const run = async (env: Record<string, string>, ...args: string[]) => {
    const [out, err]: [string[], string[]] = [[], []];
    const terminal = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
    const code = await runCommand({ args, env: { ...SECRETS, REGISTRY_EMBEDDER: 'off', ...env } }, terminal);
    return { code, out, err: err.join('\n') };
  };

  before(async () => {
    folder = await scratchFolder('registry-backup-');
    database = await openDemoDatabase(engine);
    restored = await engine.openTestDatabase({ migrated: false });
    if (engine.name === 'postgres') await makeVectorIndex([database, restored]);
    const app = await engine.openTestApp({ database, clock: () => DEMO_NOW });
    const { ctx } = app;
    const org = await createOrg(ctx);
    const shown = await createSource(ctx, { orgSlug: org.slug });
    const hidden = await createSource(ctx, { orgSlug: org.slug, isHidden: true });
    await postReleases(ctx, shown.id, [releaseRow('0.0.1')]);
    const { anonymous } = await startService(app, { verifyAnswers: false });
    reads = (await publicReads(anonymous)).filter((_, index) => index % 2 === 0);
    reads.push(`/v1/sources/${shown.id}/releases`, `/v1/orgs/${org.slug}`, '/v1/search?q=thing+number');
    storedVersion = async () => {
      const row = await ctx.store.read
        .selectFrom('counters')
        .select('value')
        .where('name', '=', 'catalog')
        .executeTakeFirst();
      return Number(row?.value);
    };

    states.push({ version: await storedVersion(), answers: await answersOf(anonymous, reads) });
    const begun = firstChange(folder);
    const taking = startRegistry(['backup', folder, '--verify'], { ...SECRETS, ...database });
    let isTaken = false;
    const ended = taking.ended.finally(() => {
      isTaken = true;
    });
    // Writes while the program still loads prove nothing.
    await Promise.race([begun, ended]);
    // The releases are hidden, so that responses do not change until the next visible one.
    const load = (async () => {
      for (let batch = 0; !isTaken; batch += 1) {
        const rows = Array.from({ length: 10 }, (_, index) => releaseRow(`${batch}.${index}.0`));
        await postReleases(ctx, hidden.id, rows, { silent: true });
        // Most of the machine is left to the backup.
        await setTimeout(20);
      }
    })();
    for (let step = 1; step === 1 || !isTaken; step += 1) {
      await postReleases(ctx, shown.id, [releaseRow(`1.${step}.0`, { publishedAt: '2026-05-19T00:00:00.000Z' })]);
      states.push({ version: await storedVersion(), answers: await answersOf(anonymous, reads) });
      // Each state costs as much as the backup itself, which a few of them surround as well as many.
      await Promise.race([ended, setTimeout(STATE_PAUSE_MS)]);
    }
    await load;
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 0, stderr);
    file = /backup\t(\S+)\t/.exec(stdout)?.[1] ?? '';
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('restores a registry that answers as at the moment of the backup, with figures that are right', async () => {
    const { code, out, err } = await run(restored, 'restore', file);
    assert.equal(code, 0, err);
    assert.match(out[0] ?? '', /^restored\t\d+ orgs\t\d+ sources\t\d+ releases\t0 users$/);

    const copy = await engine.openTestApp({ database: restored, clock: () => DEMO_NOW });
    const row = await copy.ctx.store.read
      .selectFrom('counters')
      .select('value')
      .where('name', '=', 'catalog')
      .executeTakeFirstOrThrow();
    const state = states.findLast(({ version }) => version <= row.value);
    assert.ok(states.length > 1 && (await storedVersion()) > row.value, 'writes went on after the backup');
    const { anonymous } = await startService(copy, { verifyAnswers: false });
    const given = await answersOf(anonymous, reads);
    // Between the commit of a visible release and the read of the counter a hidden one may have been written.
    const next = states.find(({ version }) => version > row.value);
    const expected = [state, next].find(
      (one) => one && [...one.answers].every(([read, text]) => given.get(read) === text),
    );
    if (!expected) assertSameAnswers(given, (state ?? next)?.answers ?? new Map());
    assert.equal(await repairFigures(copy.ctx), 0);
    const written = await postReleases(copy.ctx, (await createSource(copy.ctx)).id, [releaseRow('1.0.0')]);
    assert.equal(written.inserted, 1, 'numbers and keys go on where they were');
    if (engine.name === 'postgres') assert.deepEqual(await readTables(copy.ctx.store.read), []);
    states = [];
  });

  it('1: a database that holds something, one of the other engine, a file that was changed', async () => {
    const full = await run(database, 'restore', file);
    const empty = await engine.openTestDatabase({ migrated: false });
    const damaged = join(folder, 'damaged');
    const bytes = await readFile(file);
    const middle = Math.floor(bytes.length / 2);
    await writeFile(damaged, bytes.fill(7, middle, middle + 100_000));
    const changed = await run(empty, 'restore', damaged);
    const checked = await run(empty, 'restore', damaged, '--verify');
    const none = await run(empty, 'backup', folder);
    const columns = [{ name: 'id', type: 'text' }];
    const tables = [{ table: 'orgs" (id) VALUES (1); --', columns }];
    const crafted = join(folder, 'crafted');
    const data = { format: 1, engine: 'postgres', migrations: [], sequences: {}, tables };
    await writeFile(crafted, `${JSON.stringify({ type: 'header', data })}\n`);
    assert.match((await run(empty, 'restore', crafted)).err, /the header of the backup cannot be read/);

    assert.deepEqual([full.code, changed.code, checked.code, none.code], [1, 1, 1, 1]);
    assert.match(full.err, /is not empty \(\w+ has rows\); restore into a new database/);
    assert.match(changed.err, engine.name === 'sqlite' ? /there is no checksum/ : /damaged|cannot be read|not match/);
    assert.match(none.err, /there is no registry in/);
    assert.equal((await run(empty, 'restore', join(folder, 'nowhere'))).code, 1);
    assert.deepEqual([(await run(empty, 'restore')).code, (await run(empty, 'backup')).code], [2, 2]);
    if (engine.name === 'postgres') {
      const other = await run({ REGISTRY_DATA_DIR: join(folder, 'sqlite') }, 'restore', file);
      assert.match(other.err, /this is a backup of PostgreSQL; to change the engine use `registry export`/);
    }
  });

  it('1: a backup that was changed, whoever made it fit again', async () => {
    if (engine.name === 'postgres') return refusesStrangers();
    const bytes = await readFile(file);
    const checksum = async (path: string) =>
      writeFile(
        `${path}.sha256`,
        `${createHash('sha256')
          .update(await readFile(path))
          .digest('hex')}  x\n`,
      );
    const sealed = await readFile(`${file}.sha256`, 'utf8');
    assert.equal(sealed, `${createHash('sha256').update(bytes).digest('hex')}  ${file.split('/').at(-1)}\n`);
    const changes: [string, string | null][] = [
      ['row', "UPDATE orgs SET name = 'Somebody else'"],
      ['trigger', 'CREATE TRIGGER spy AFTER INSERT ON releases BEGIN DELETE FROM tokens; END'],
      ['view', 'CREATE VIEW spy AS SELECT * FROM users'],
      ['table', 'CREATE TABLE spy (text TEXT)'],
      ['index', 'DROP INDEX orgs_slug'],
      ['column', 'ALTER TABLE orgs ADD COLUMN spy TEXT'],
      ['bytes', null],
    ];
    for (const [name, statement] of changes) {
      const path = join(folder, `changed-${name}.db`);
      if (statement === null) await writeFile(path, Buffer.from(bytes).fill(7, 40_000, 40_100));
      else {
        await writeFile(path, bytes);
        const database = new DatabaseSync(path);
        database.exec(statement);
        database.close();
      }
      await writeFile(`${path}.sha256`, sealed);
      const { code, err } = await run(restored, 'restore', path, '--verify');
      assert.deepEqual([code, /the checksum beside it does not match/.test(err)], [1, true], name);
      await checksum(path);
      const refitted = await run(restored, 'restore', path, '--verify');
      // Who can write the checksum can write rows, but nothing that would run here.
      const isSchema = !['row', 'bytes'].includes(name);
      if (isSchema) assert.match(refitted.err, /the schema is not that of a registry/, name);
    }
    const plain = join(folder, 'plain.db');
    await writeFile(plain, bytes);
    assert.match((await run(restored, 'restore', plain, '--verify')).err, /there is no checksum beside it/);
    assert.equal((await run(restored, 'restore', plain, '--verify', '--without-checksum')).code, 0);
    // What lies beside a database file is not read with it.
    await writeFile(`${plain}-wal`, 'not a log');
    assert.equal((await run(restored, 'restore', plain, '--verify', '--without-checksum')).code, 0);
  });

  async function refusesStrangers(): Promise<void> {
    const empty = await engine.openTestDatabase({ migrated: false });
    const lines = gunzipSync(await readFile(file))
      .toString('utf8')
      .trimEnd()
      .split('\n');
    const header = JSON.parse(lines[0] ?? '');
    const text = { name: 'text', type: 'text' };
    const changes: [string, object, RegExp][] = [
      ['table', { tables: [...header.data.tables, { table: 'pg_authid', columns: [text] }] }, /table pg_authid/],
      ['column', { tables: [{ table: 'orgs', columns: [text] }] }, /table orgs/],
      ['sequence', { sequences: { pg_toast: { last: 1, called: true } } }, /sequence pg_toast/],
    ];
    for (const [name, change, message] of changes) {
      const first = JSON.stringify({ ...header, data: { ...header.data, ...change } });
      const data = { counts: {}, sha256: createHash('sha256').update(`${first}\n`).digest('hex') };
      const path = join(folder, `changed-${name}.ndjson`);
      await writeFile(path, `${first}\n${JSON.stringify({ type: 'manifest', data })}\n`);
      const { code, err } = await run(empty, 'restore', path);
      assert.deepEqual([code, message.test(err)], [1, true], err);
    }
  }

  it('keeps the newest, for the eyes of the owner alone, and leaves files of others', async () => {
    await writeFile(join(folder, 'notes.txt'), '');
    const { code, out } = await run(database, 'backup', folder, '--keep', '1', '--json');
    const names = (await readdir(folder)).filter((name) => /^registry-.*(?:db|gz)$/.test(name));

    const answer = JSON.parse(out[0] ?? '');
    assert.equal(code, 0);
    assert.deepEqual(names, [answer.file.split('/').at(-1)]);
    assert.deepEqual(answer.removed, [file.split('/').at(-1)]);
    assert.ok(!(await readdir(folder)).includes(`${file.split('/').at(-1)}.sha256`));
    assert.equal((await stat(answer.file)).mode & 0o077, 0);
    assert.ok((await readdir(folder)).includes('notes.txt'));
    const { code: verified } = await run(restored, 'restore', answer.file, '--verify', '--json');
    assert.equal(verified, 0);
  });
});

// The tables of a vector index are in no backup, and those of a database into which one is restored are dropped.
async function makeVectorIndex(databases: readonly Record<string, string>[]): Promise<void> {
  for (const { REGISTRY_DATABASE_URL: url = '' } of databases) {
    await withSingleConnection({ url }, (db) => sql`CREATE TABLE vector_index (name text)`.execute(db));
  }
}
