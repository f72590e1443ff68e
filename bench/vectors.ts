// Search by meaning over made-up vectors.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import type { SearchFilter } from '../src/domain/retrieval/retrievers.ts';
import type { VectorSearch } from '../src/ports.ts';
import { relatedReleases } from '../src/search/related/releases.ts';
import { madeVector } from '../src/search/vectors/made-vectors.fixture.ts';
import { createLocalEmbedder } from '../src/search/vectors/minilm/local-embedder.ts';
import type { Figure } from './figures.ts';
import { generatedRegistry } from './registries.ts';
import { percentiles } from './search.ts';
import { ALL, DIMS, openIndex, SEED, seedVectors } from './seed-meaning.ts';

const QUERIES = 300;
// By then the code is compiled.
const WARM_UP = 200;
// What a search asks each retriever for.
const LEG = 60;

export async function benchVectors(count: number): Promise<Figure[]> {
  const folder = await generatedRegistry(count, `vectors-${count}`);
  const config = readConfig({ REGISTRY_DATA_DIR: folder, REGISTRY_LOG_LEVEL: 'warn' });
  const seeding = await createApp(config);
  const vectors = await seedVectors(seeding.ctx, count);
  // The model has its own memory, and is loaded before that of the index is measured.
  await createLocalEmbedder({ dataDir: folder, log: seeding.ctx.log }).embed(['warm-up'], 'query');
  await seeding.close();
  rmSync(join(folder, 'vectors'), { recursive: true, force: true });
  const [before, ownBefore] = [process.memoryUsage.rss(), ownMemory()];
  const building = await createApp(config);
  const built = await openIndex(building.ctx, { release: vectors });
  const [resident, own] = [process.memoryUsage.rss(), ownMemory()];
  const perVector = (resident - before) / vectors;
  const atMillion = (resident + (MILLION - vectors) * perVector) / 1e9;
  try {
    const figures = await searches(building.ctx);
    return [
      ...figures,
      figure('vector index, built', vectors / (built / 1000), 'vectors/s', MIN_BUILT, {
        detail: `${vectors} vectors of ${DIMS} values from the table, in one thread`,
        atLeast: true,
      }),
      figure('vector index, memory at 1,000,000', atMillion, 'GB', MAX_GIGABYTES, {
        detail: `process with model and index; ${Math.round(perVector)} bytes a vector over ${vectors}, the rest by that; ${own === null || ownBefore === null ? 'unknown' : Math.max(0, Math.round((own - ownBefore) / vectors))} of them its own, the others mapped from a file that processes share`,
      }),
    ];
  } finally {
    await building.close();
  }
}

// Memory that is not mapped from a file; null where the kernel does not tell.
function ownMemory(): number | null {
  if (!existsSync('/proc/self/status')) return null;
  const kilobytes = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return kilobytes === undefined ? null : 1024 * Number(kilobytes);
}

const MILLION = 1_000_000;
// A million within the hour; meanwhile the search answers by words.
const MIN_BUILT = 280;
const MAX_GIGABYTES = 1.5;

function figure(
  name: string,
  value: number,
  unit: string,
  target: number,
  { detail, atLeast = false }: { detail: string; atLeast?: boolean },
): Figure {
  const holds = atLeast ? value >= target : value <= target;
  return { name, value, unit, target: `${atLeast ? '≥' : '≤'} ${target}`, holds, detail };
}

async function searches(ctx: Context): Promise<Figure[]> {
  const vector = (at: number) => madeVector({ dims: DIMS, seed: SEED, number: 10_000_000 + at });
  const orgs = await ctx.store.read.selectFrom('orgs').select('id').limit(QUERIES).execute();
  const anchors = await ctx.store.read
    .selectFrom('releases')
    .select('id')
    .where('listing', '=', 2)
    .limit(QUERIES)
    .execute();
  const retrievers: [name: string, target: number, ask: (at: number) => Promise<unknown>][] = [
    ['nearest vectors', 10, (at) => ask(ctx, { vector: vector(at) })],
    ['nearest vectors of an org', 40, (at) => ask(ctx, { vector: vector(at), orgIds: [orgs[at % orgs.length]?.id] })],
    ['nearest vectors, breaking', 40, (at) => ask(ctx, { vector: vector(at), breaking: ['major'] })],
    ['nearest vectors, important', 40, (at) => ask(ctx, { vector: vector(at), minImportance: 5 })],
    ['nearest vectors of a text', 25, (at) => ask(ctx, { text: `query number ${at} about caching of pages` })],
    ['related releases', 15, (at) => related(ctx, anchors[at % anchors.length]?.id ?? '')],
  ];
  const figures: Figure[] = [];
  for (const [name, target, run] of retrievers) {
    const times: number[] = [];
    for (let at = -WARM_UP; at < QUERIES; at += 1) {
      const started = performance.now();
      await run(at + WARM_UP);
      if (at >= 0) times.push(performance.now() - started);
    }
    const { p50, p95, p99 } = percentiles(times);
    const detail = `p50 / p95 / p99: ${[p50, p95, p99].map((ms) => ms.toFixed(1)).join(' / ')} ms, one after the other`;
    figures.push(figure(`${name}, p95`, p95, 'ms', target, { detail }));
  }
  return figures;
}

type Asked = Pick<VectorSearch, 'text' | 'vector'> & {
  orgIds?: (string | undefined)[];
  breaking?: string[];
  minImportance?: number;
};

async function ask(ctx: Context, { text, vector, ...filter }: Asked): Promise<void> {
  const wanted = { ...ALL, ...filter } as SearchFilter;
  const answer = await ctx.ports.vectors.search(ctx, { text, vector, kind: 'release', filter: wanted, limit: LEG });
  if ('degraded' in answer) throw new Error(answer.degraded);
}

async function related(ctx: Context, release: string): Promise<void> {
  const { degraded } = await relatedReleases(ctx, { release, scope: 'global', limit: 5 });
  if (degraded) throw new Error('degraded');
}
