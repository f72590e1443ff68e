// What is known of an index before it is searched: how its dates are spread, what a search would cost, and how many documents
// have a term.
import type { Context } from '../../context.ts';
import type { QueryGroup } from '../../domain/search-text/query-terms.ts';
import { mustOccur, type SearchQuery } from '../../domain/search-text/search-query.ts';
import type { FullTextIndex } from '../../store/dialect.ts';
import { searchQueries } from '../search-connection.ts';

interface AnswerCacheOptions<T> {
  // How long an answer stays valid.
  maxAgeMs: (answer: T) => number;
  // The most answers that are cached; beyond it the oldest is dropped.
  most: number;
}

interface TimedAnswer<T> {
  answer: Promise<T>;
  since: number;
  // Null while the answer is being computed; concurrent callers share it.
  maxAgeMs: number | null;
}

// Caches answers for a limited time, separately for each store.
export function cachedAnswers<T>({ maxAgeMs, most }: AnswerCacheOptions<T>) {
  const stores = new WeakMap<object, Map<string, TimedAnswer<T>>>();
  return (ctx: Context, key: string, read: () => Promise<T>): Promise<T> => {
    const answers = stores.get(ctx.store) ?? new Map<string, TimedAnswer<T>>();
    stores.set(ctx.store, answers);
    const now = ctx.clock().getTime();
    const known = answers.get(key);
    if (known && isGood(known, now)) return known.answer;
    const cached: TimedAnswer<T> = { answer: read(), since: now, maxAgeMs: null };
    answers.delete(key);
    if (answers.size >= most) answers.delete(answers.keys().next().value ?? '');
    answers.set(key, cached);
    cached.answer.then(
      (answer) => {
        cached.maxAgeMs = maxAgeMs(answer);
      },
      () => answers.delete(key),
    );
    return cached.answer;
  };
}

// A clock that was set back must not make an answer valid for longer.
function isGood({ since, maxAgeMs }: TimedAnswer<unknown>, now: number): boolean {
  return maxAgeMs === null || (now >= since && now < since + maxAgeMs);
}

// A histogram of the dates of an index, which says how far back a fixed amount of work reaches. A query that would cost more
// is run on the newest part of the index alone. The histogram is made from a sample of fixed size, so its cost does not grow
// with the number of documents.

const SAMPLE = 2_048;

interface KeyHistogram {
  // The estimated number of documents.
  docs: number;
  // The key at or above which this share of the documents lies.
  keyAt(share: number): number;
  shareAbove(key: number): number;
}

const TABLES = { releases: 'releases', chunks: 'changelog_chunks' } as const satisfies Record<FullTextIndex, string>;

// The histogram of a small registry is cached for a shorter time, because it may be growing.
const histograms = cachedAnswers<KeyHistogram>({ maxAgeMs: ({ docs }) => (docs < SAMPLE ? 10_000 : 600_000), most: 2 });

export function keyHistogram(ctx: Context, index: FullTextIndex): Promise<KeyHistogram> {
  return histograms(ctx, index, () => readHistogram(ctx, index));
}

async function readHistogram(ctx: Context, index: FullTextIndex): Promise<KeyHistogram> {
  const db = searchQueries(ctx);
  const table = TABLES[index];
  const newest = await db
    .selectFrom(table)
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst();
  const last = Number(newest?.seq ?? 0);
  const step = Math.max(1, Math.ceil(last / SAMPLE));
  const wanted = Array.from({ length: Math.floor(last / step) }, (_, at) => last - at * step);
  const rows = await db.selectFrom(table).select('doc_key').where(ctx.store.dialect.amongKeys('seq', wanted)).execute();
  const keys = rows.map((row) => row.doc_key).sort((a, b) => b - a);
  return histogramOf(keys, step);
}

// Makes a histogram of a sample of keys, highest first, of which each represents `step` documents.
export function histogramOf(keys: readonly number[], step: number): KeyHistogram {
  return {
    docs: keys.length * step,
    keyAt: (share) => (share >= 1 ? 0 : (keys[Math.ceil(share * keys.length)] ?? 0)),
    shareAbove: (key) => Math.max(1, keys.length - countBelow(keys, key)) / Math.max(1, keys.length),
  };
}

function countBelow(keys: readonly number[], key: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? 0) >= key) low = middle + 1;
    else high = middle;
  }
  return keys.length - low;
}

// Reading this many index entries takes some milliseconds.
export const WORK = 30_000;
// With a rare word an engine seeks in the lists of the other words; one seek costs as much as this many entries.
const LEAP = 25;

interface Cost {
  // The entries that a search of the whole index reads, by the cheaper of two methods.
  entries: number;
  // Whether seeking is the cheaper method.
  sparse: boolean;
}

interface Lists {
  // The length of the shortest list, of all lists together, and the number of lists.
  rarest: number;
  entries: number;
  lists: number;
}

export function costOf({ rarest, entries, lists }: Lists): Cost {
  const leaps = rarest * (1 + LEAP * lists);
  return leaps < entries ? { entries: leaps, sparse: true } : { entries, sparse: false };
}

interface WorkWindow {
  // The cost of searching the whole index, in entries.
  entries: number;
  work?: number;
  // The newest key of the window.
  from?: number;
}

// The lowest key of a window that costs `work`; 0 when it covers the whole index.
export function lowestKeyFor(histogram: KeyHistogram, { entries, work = WORK, from }: WorkWindow): number {
  if (entries <= work) return 0;
  const passed = from === undefined ? 0 : histogram.shareAbove(from);
  return histogram.keyAt(passed + work / entries);
}

// How many documents have a term, counted once an hour in each process.

// An estimate of how many documents match a group, and of the cost of finding them.
export interface GroupCount {
  // The number of matching documents; exact when it is small.
  docs: number;
  // How many documents have the rarest word of a phrase; equal to `docs` for single words and names.
  reach: number;
  // The cost of reading the entries of all words, and the number of their lists.
  entries: number;
  lists: number;
}

const COUNTED_WORDS = 8;
// Reading the positions of a word costs as much as reading its entries.
const IN_PHRASE = 2;
const NO_COST: Cost = { entries: 0, sparse: false };
// Rare terms are counted again sooner, because they may become common and are cheap to count.
const RARE = 1_000;
const counts = cachedAnswers<number>({ maxAgeMs: (docs) => (docs < RARE ? 60_000 : 3_600_000), most: 20_000 });

export async function countGroup(ctx: Context, index: FullTextIndex, group: QueryGroup): Promise<GroupCount> {
  let [reach, entries, phrases, lists] = [0, 0, 0, 0];
  for (const term of group) {
    lists += term.kind === 'phrase' ? term.words.length : 1;
    if (term.kind !== 'phrase' || term.words.length < 2) continue;
    // The first few words are enough to estimate the cost of a long phrase.
    const words = [...new Set(term.words)].slice(0, COUNTED_WORDS);
    const docs = await Promise.all(
      words.map((word) => documentCount(ctx, index, [{ kind: 'phrase', words: [word] }], NO_COST)),
    );
    reach += Math.min(...docs);
    entries += IN_PHRASE * docs.reduce((sum, count) => sum + count, 0);
    phrases += 1;
  }
  // Terms that are no phrases cost their own entries, which are never more than their matches.
  const cost = phrases === group.length ? costOf({ rarest: reach, entries, lists }) : { entries, sparse: false };
  const docs = await documentCount(ctx, index, group, cost);
  const single = phrases === group.length ? 0 : docs;
  return { docs, reach: reach + single, entries: entries + single, lists };
}

function documentCount(ctx: Context, index: FullTextIndex, group: QueryGroup, cost: Cost): Promise<number> {
  return counts(ctx, `${index} ${JSON.stringify(group)}`, () => count(ctx, index, group, cost));
}

async function count(ctx: Context, index: FullTextIndex, group: QueryGroup, cost: Cost): Promise<number> {
  const histogram = await keyHistogram(ctx, index);
  const minKey = lowestKeyFor(histogram, cost);
  const requested = { index, group, minKey, sparse: cost.sparse, docs: histogram.docs };
  const { docs, lowestKey } = await ctx.store.dialect.countDocuments(searchQueries(ctx), requested);
  const lowest = Math.max(lowestKey ?? 0, minKey);
  return lowest === 0 ? docs : Math.max(docs, Math.round(docs / histogram.shareAbove(lowest)));
}

const INDEXES: readonly FullTextIndex[] = ['releases', 'chunks'];

// Whether no document contains a version or an id that has to occur, in any of its accepted spellings. A name out of code that
// nothing holds leaves the other words.
export async function isIdentifierMissing(ctx: Context, { groups }: SearchQuery): Promise<boolean> {
  const names = groups.filter((group) => group.sort === 'hard' && mustOccur(group));
  const missing = await Promise.all(
    names.map(async ({ loose }) => {
      const inEach = await Promise.all(INDEXES.map((index) => countGroup(ctx, index, loose)));
      return inEach.every(({ docs }) => docs === 0);
    }),
  );
  return missing.includes(true);
}
