// The same calls on both engines, in turn on the same machine, with the cache off: who outgrows one machine must not pay
// for it with every answer. PostgreSQL writes through to the disk, as SQLite does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createApp } from '../src/app.ts';
import { generateRegistry } from '../src/cli/generate-registry.ts';
import { bulkReleases } from '../src/cli/generate-rows.ts';
import { readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { createSource } from '../src/entities/sources/create.ts';
import { writeReleases } from '../src/releases/write/write-batch.ts';
import { createDatabase, startPostgres } from '../test/support/postgres.ts';
import type { Figure } from './figures.ts';
import { processorMsOf } from './processor-time.ts';
import { percentiles, prepare } from './search.ts';
import { type Running, readJson, startService } from './service.ts';

const RELEASES = 20_000;
const MAX_READ_RATIO = 1.5;
const MAX_CHAINED_RATIO = 2.5;
const MAX_WRITE_RATIO = 2;
const ROOT_KEY = 'bench-root-key-0123456789-0123456789-abcdef';
const BATCH = 100;

interface Engine {
  name: string;
  service: Running;
  orgs: string[];
  sources: string[];
  large: LargeSource;
  queries: string[];
}

// What is asked of one source must not grow with its versions.
interface LargeSource {
  id: string;
  slug: string;
  // A release in the middle of it.
  releaseId: string;
}

interface Call {
  name: string;
  maxRatio: number;
  rounds: number;
  run(engine: Engine, round: number): Promise<Response>;
}

const read = (name: string, path: (engine: Engine, round: number) => string): Call => ({
  name,
  maxRatio: MAX_READ_RATIO,
  rounds: 300,
  run: (engine, round) => fetch(engine.service.url + path(engine, round)),
});

const at = <T>(list: readonly T[], round: number) => list[round % list.length];

const CALLS: readonly Call[] = [
  read('org detail', ({ orgs }, round) => `/v1/orgs/${at(orgs, round)}`),
  read('org feed', ({ orgs }, round) => `/v1/orgs/${at(orgs, round)}/releases`),
  read('latest', () => '/v1/releases/latest?count=20'),
  read('org list', () => '/v1/orgs?limit=50'),
  read('stats', () => '/v1/stats'),
  read(
    'search, words',
    ({ queries }, round) => `/v1/search?q=${encodeURIComponent(at(queries, round) ?? '')}&mode=lexical`,
  ),
  read('release of a large source', ({ large }) => `/v1/releases/${large.releaseId}`),
  // Six statements of it need the answer of the one before.
  {
    ...read("what's changed in a large source", ({ large: { slug } }, round) => {
      const major = round % LARGE_BATCHES;
      return `/v1/whats-changed?package=${slug}&from=${major}.1.0&to=${major}.${2 + (round % 9)}.0`;
    }),
    maxRatio: MAX_CHAINED_RATIO,
  },
  {
    name: 'one release written',
    maxRatio: MAX_WRITE_RATIO,
    rounds: 150,
    run: (engine, round) => write(engine, round, 1),
  },
  {
    name: 'one release written to a large source',
    maxRatio: MAX_WRITE_RATIO,
    rounds: 60,
    run: (engine, round) => {
      const version = `${LARGE_BATCHES}.${round}.0`;
      const row = { title: version, version, content: 'Fixed a leak.', publishedAt: new Date().toISOString() };
      return post(engine.service, engine.large.id, [row]);
    },
  },
  {
    name: `batch of ${BATCH}`,
    maxRatio: MAX_WRITE_RATIO,
    rounds: 30,
    run: (engine, round) => write(engine, round, BATCH),
  },
];

export async function benchEngines(): Promise<Figure[]> {
  const server = await startPostgres({ durable: true });
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'registry-bench-')));
  const engines: Engine[] = [];
  try {
    const { url } = await createDatabase(server.url);
    engines.push(await startEngine('SQLite', { REGISTRY_DATA_DIR: folders[0] ?? '' }));
    engines.push(await startEngine('PostgreSQL', { REGISTRY_DATA_DIR: folders[1] ?? '', REGISTRY_DATABASE_URL: url }));
    const figures: Figure[] = [];
    for (const call of CALLS) figures.push(await compared(call, engines));
    return figures;
  } finally {
    for (const { service } of engines) await service.stop();
    await server.stop();
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
}

async function startEngine(
  name: string,
  given: Record<string, string> & { REGISTRY_DATA_DIR: string },
): Promise<Engine> {
  const env = { ...given, REGISTRY_LOG_LEVEL: 'warn', REGISTRY_EMBEDDER: 'off' };
  const { ctx, close } = await createApp(readConfig(env));
  await ctx.store.migrate();
  await generateRegistry(ctx, { releases: RELEASES });
  const sources = await ctx.store.read.selectFrom('sources').select('id').orderBy('id').limit(40).execute();
  const large = await fillLargeSource(ctx);
  await close();
  if (given.REGISTRY_DATABASE_URL) await vacuum(given.REGISTRY_DATABASE_URL);
  const queries = await prepare(env);
  const service = await startService(given.REGISTRY_DATA_DIR, {
    ...env,
    REGISTRY_CACHE: 'off',
    REGISTRY_ROOT_KEY: ROOT_KEY,
  });
  const { items } = (await readJson(`${service.url}/v1/orgs?limit=40`)) as { items: { slug: string }[] };
  return { name, service, queries, orgs: items.map(({ slug }) => slug), sources: sources.map(({ id }) => id), large };
}

const LARGE_BATCHES = 10;
const LARGE_BATCH = 500;

async function fillLargeSource(ctx: Context): Promise<LargeSource> {
  const { id, slug } = await createSource(ctx, { name: 'Large', url: 'https://large.example/', type: 'feed' });
  for (let major = 0; major < LARGE_BATCHES; major += 1) {
    const texts = bulkReleases({ sourceIndex: major, count: LARGE_BATCH, seed: major, now: new Date() });
    const rows = texts.map((text, minor) => {
      const version = `${major}.${minor}.0`;
      return { ...text, version, title: version, url: `https://large.example/${version}` };
    });
    await writeReleases(ctx, { path: { src: id }, rows, silent: true });
  }
  const { id: releaseId } = await ctx.store.read
    .selectFrom('releases')
    .select('id')
    .where('source_id', '=', id)
    .where('version', '=', '5.7.0')
    .executeTakeFirstOrThrow();
  return { id, slug, releaseId };
}

// A server does it by itself within a minute; that of the bench is told not to, so that it measures nothing else.
async function vacuum(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('VACUUM (ANALYZE)');
  await client.end();
}

async function compared({ name, maxRatio, rounds, run }: Call, engines: readonly Engine[]): Promise<Figure> {
  const measured = engines.map(() => ({ times: [] as number[], work: 0 }));
  const warmUp = Math.ceil(rounds / 2);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const [index, engine] of engines.entries()) {
      const [worked, started] = [processorMsOf(engine.service.pid), performance.now()];
      const response = await run(engine, round);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${name} on ${engine.name}: ${response.status}`);
      const one = measured[index];
      if (round < warmUp || !one) continue;
      one.times.push(performance.now() - started);
      one.work += processorMsOf(engine.service.pid) - worked;
    }
  }
  const [sqlite, postgres] = measured.map(({ times, work }) => ({ ...percentiles(times), work: work / rounds }));
  if (!sqlite || !postgres) throw new Error('two engines are compared');
  const ratio = Math.max(postgres.p50 / sqlite.p50, postgres.p95 / sqlite.p95);
  const shown = ({ p50, p95, work }: typeof sqlite) =>
    `${p50.toFixed(1)} / ${p95.toFixed(1)} ms, ${work.toFixed(1)} ms of work`;
  return {
    name: `engines: ${name}`,
    value: ratio,
    unit: 'PostgreSQL against SQLite, p50 or p95',
    target: `≤ ${maxRatio}`,
    holds: ratio <= maxRatio,
    detail: `p50 / p95: ${shown(postgres)} against ${shown(sqlite)}`,
  };
}

// Versions that no generated release has, so that every row is new.
async function write({ service, sources }: Engine, round: number, count: number): Promise<Response> {
  const texts = bulkReleases({ sourceIndex: round, count, seed: count, now: new Date() });
  const releases = texts.map((row, index) => {
    const version = `${900 + count}.${round}.${index}`;
    return { ...row, version, url: `https://bench.example/${version}` };
  });
  return post(service, at(sources, round) ?? '', releases);
}

function post({ url }: Running, source: string, releases: readonly object[]): Promise<Response> {
  const isOne = releases.length === 1;
  return fetch(`${url}/v1/sources/${source}/releases${isOne ? '' : '/batch'}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ROOT_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(isOne ? releases[0] : { releases }),
  });
}
