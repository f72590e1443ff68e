// Searches in open loop: they come at a fixed rate, whatever the answers take, and the wait in line counts. Two sizes of
// registry, because what a search costs must not grow with it.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { foldText, wordsOf } from '../src/domain/search-text/analysis.ts';
import { isStopWord } from '../src/domain/search-text/query-terms.ts';
import { createRandom, type Random } from '../src/domain/seeded-random.ts';
import { fillWords } from '../src/search/lexical/fill-words.ts';
import type { Figure } from './figures.ts';
import { undisturbed, watchWork } from './processor-time.ts';
import { seedMeaning } from './seed-meaning.ts';
import { type Running, startService } from './service.ts';

interface SearchMode {
  // The `mode` that the requests ask for.
  name: string;
  p95Ms: number;
  p99Ms?: number;
  // The large registry's p95 against the small one's.
  growth: number;
}

export const LEXICAL: SearchMode = { name: 'lexical', p95Ms: 25, p99Ms: 60, growth: 1.5 };
// Both retrievers, with chunks and the embedding of the query.
const HYBRID: SearchMode = { name: 'hybrid', p95Ms: 40, growth: 1.5 };

interface Times {
  p50: number;
  p95: number;
  p99: number;
}

interface Measured extends Times {
  // Processor time of the service for one search, on all of its threads; null where the kernel does not tell.
  processorMs: number | null;
  // The share of the machine that others used meanwhile.
  othersShare: number;
}

const QUERIES = 600;
// By then the code is compiled and the caches are warm, as in a service that runs for some minutes.
export const WARM_UP = 900;
// A process with the model and a million vectors of releases; those of chunks come on top.
const MAX_RESIDENT = 1.5e9;
const PER_CHUNK_VECTOR = 850;
const PER_SECOND = 25;
const MERGE_PAGES = 2_000;

export async function benchSearch(small: string, large: string): Promise<Figure[]> {
  return figuresOf(LEXICAL, [await searched(LEXICAL, small), await searched(LEXICAL, large)]);
}

export async function benchHybrid(small: string, large: string): Promise<Figure[]> {
  const [, seeded] = [await seedMeaning(small), await seedMeaning(large)];
  const [before, after] = [await searched(HYBRID, small), await searched(HYBRID, large)];
  const most = MAX_RESIDENT + seeded.chunkVectors * PER_CHUNK_VECTOR;
  return [
    ...figuresOf(HYBRID, [before, after]).map((figure) => ({
      ...figure,
      detail: `${figure.detail}; ${seeded.detail}`,
    })),
    {
      name: 'hybrid search, memory',
      value: after.resident / 1e9,
      unit: 'GB',
      target: `≤ ${(most / 1e9).toFixed(2)}`,
      holds: after.resident <= most,
      detail: `resident after the searches on the large registry; ${seeded.detail}`,
    },
  ];
}

interface Searched extends Measured {
  // Bytes of memory.
  resident: number;
}

async function searched(mode: SearchMode, registry: string): Promise<Searched> {
  const queries = await prepare({ REGISTRY_DATA_DIR: registry });
  await readOnce(join(registry, 'registry.db'));
  const service = await startService(registry, { REGISTRY_CACHE: 'off', REGISTRY_METRICS: 'public' });
  try {
    await warmUp(service, mode.name, queries);
    // An open loop measures the neighbours of the service too.
    const times = await undisturbed(() => measure(service, mode.name, queries));
    return { ...times, resident: await residentOf(service) };
  } finally {
    await service.stop();
  }
}

async function residentOf({ url }: Running): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

// A service that runs for a while has its file in memory; what is measured is the search, not a disk that wakes up.
async function readOnce(file: string): Promise<void> {
  for await (const _ of createReadStream(file, { highWaterMark: 1 << 20 }));
}

// The queries, after the background work of a running service.
export function prepare(env: Record<string, string>): Promise<string[]> {
  return withSettledIndex(env, (ctx) => searchQueries(ctx, QUERIES + WARM_UP));
}

// Does what the worker of a running service would have done by now, and then the given work.
export async function withSettledIndex<T>(env: Record<string, string>, work: (ctx: Context) => Promise<T>): Promise<T> {
  const { ctx, close } = await createApp(readConfig({ REGISTRY_LOG_LEVEL: 'warn', ...env }));
  try {
    while (await fillWords(ctx));
    const { store } = ctx;
    while (await store.transaction((tx) => store.dialect.mergeFullText(tx, MERGE_PAGES), 'bookkeeping'));
    return await work(ctx);
  } finally {
    await close();
  }
}

// Whether the answer is complete.
async function ask({ url }: Pick<Running, 'url'>, mode: string, q: string): Promise<boolean> {
  const response = await fetch(`${url}/v1/search?mode=${mode}&q=${encodeURIComponent(q)}`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${q}: ${response.status}`);
  return !text.includes('"degraded":true');
}

export async function warmUp(service: Running, mode: string, queries: readonly string[]): Promise<void> {
  // The first questions open the index.
  while (!(await ask(service, mode, 'ready'))) await sleep(200);
  for (const q of queries.slice(0, WARM_UP)) await ask(service, mode, q);
}

export async function measure(
  service: Running,
  mode: string,
  queries: readonly string[],
  perSecond = PER_SECOND,
): Promise<Measured> {
  const work = watchWork(service.pid);
  const started = performance.now();
  const taken = queries.slice(WARM_UP).map(async (q, at) => {
    const due = (at * 1000) / perSecond;
    await sleep(Math.max(0, started + due - performance.now()));
    // From when it was due, so that a generator that is late hides nothing.
    if (!(await ask(service, mode, q))) throw new Error(`${q}: degraded`);
    return performance.now() - started - due;
  });
  const times = percentiles(await Promise.all(taken));
  const { ownMs, othersShare } = work?.() ?? { ownMs: null, othersShare: 0 };
  return { ...times, processorMs: ownMs === null ? null : ownMs / taken.length, othersShare };
}

export function percentiles(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function figuresOf(mode: SearchMode, [small, large]: [Measured, Measured]): Figure[] {
  const percentiles = ({ p50, p95, p99 }: Times) => [p50, p95, p99].map((time) => time.toFixed(1)).join(' / ');
  const work = [large, small].map(({ processorMs }) => processorMs?.toFixed(1) ?? 'unknown').join(' and ');
  const others = Math.round(100 * Math.max(small.othersShare, large.othersShare));
  const detail = `p50 / p95 / p99: ${percentiles(large)} ms on the large registry, ${percentiles(small)} on the small one, ${PER_SECOND} a second; processor time a search ${work} ms; others used up to ${others} % of the machine`;
  const growth = large.p95 / small.p95;
  const figure = (name: string, value: number, unit: string, most: number): Figure => {
    return { name: `${mode.name} search, ${name}`, value, unit, target: `≤ ${most}`, holds: value <= most, detail };
  };
  return [
    figure('p95', large.p95, 'ms', mode.p95Ms),
    ...(mode.p99Ms === undefined ? [] : [figure('p99', large.p99, 'ms', mode.p99Ms)]),
    figure('growth', growth, 'large against small', mode.growth),
  ];
}

// A mixed set of queries made of a registry's own words: names, identifiers, pairs, prefixes, phrases; every second one
// has a common word in it. The same registry gives the same set.

interface Material {
  common: string[];
  middle: string[];
  rare: string[];
  texts: { title: string; version: string | null; content: string }[];
  names: string[];
}

const COMMON = 60;
const MIDDLE = 1_500;

async function searchQueries(ctx: Context, count: number): Promise<string[]> {
  const material = await materialOf(ctx);
  const random = createRandom('search-queries');
  const kinds: ((random: Random, material: Material) => string)[] = [
    (r, m) => r.pick(m.common),
    (r, m) => `${r.pick(m.common)} ${r.pick(m.middle)}`,
    (r, m) => `${r.pick(m.common)} ${r.pick(m.common)}`,
    (r, m) => `${r.pick(m.common)} ${r.pick(m.middle)} ${r.pick(m.rare)}`,
    (r, m) => `${r.pick(m.common)} ${prefix(r, r.pick(m.middle))}`,
    (r, m) => r.pick(m.names),
    (r, m) => identifier(r, m),
    (r, m) => `${r.pick(m.middle)} ${r.pick(m.middle)}`,
    (r, m) => prefix(r, r.pick([...m.middle, ...m.common])),
    (r, m) => phrase(r, m),
    (r, m) => r.pick(m.rare),
  ];
  // Five kinds with a common word and six without; the first five are taken as often as the others together.
  return Array.from({ length: count }, (_, at) => {
    const kind = at % 2 === 0 ? kinds[(at / 2) % 5] : kinds[5 + (((at - 1) / 2) % 6)];
    return kind?.(random, material) ?? '';
  });
}

async function materialOf(ctx: Context): Promise<Material> {
  const words = (
    await ctx.store.read
      .selectFrom('search_words')
      .select('word')
      .orderBy('docs', 'desc')
      .orderBy('word')
      .limit(6_000)
      .execute()
  )
    .map(({ word }) => word)
    .filter((word) => !isStopWord(word));
  const newest = await ctx.store.read
    .selectFrom('releases')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst();
  const last = Number(newest?.seq ?? 0);
  const seqs = Array.from({ length: 400 }, (_, at) => Math.max(1, Math.floor(((at + 1) * last) / 400)));
  const texts = await ctx.store.read
    .selectFrom('releases')
    .select(['title', 'version', 'content'])
    .where('seq', 'in', seqs)
    .execute();
  const orgs = await ctx.store.read.selectFrom('orgs').select('name').orderBy('id').limit(200).execute();
  return {
    common: words.slice(0, COMMON),
    middle: words.slice(COMMON, MIDDLE),
    rare: words.slice(MIDDLE),
    texts,
    names: orgs.map(({ name }) => name),
  };
}

function prefix(random: Random, word: string): string {
  return word.slice(0, random.int(3, Math.max(3, word.length - 1)));
}

function identifier(random: Random, { texts }: Material): string {
  const { version, content } = random.pick(texts);
  const found = content.match(/#\d+|\b[a-z]+_[a-z]+\b/g) ?? [];
  return found.length > 0 && random.next() < 0.5 ? (found[0] ?? '') : (version ?? '1.0.0');
}

function phrase(random: Random, { texts }: Material): string {
  const words = wordsOf(foldText(random.pick(texts).content));
  const at = random.int(0, Math.max(0, words.length - 3));
  return `"${words.slice(at, at + 2).join(' ')}"`;
}
