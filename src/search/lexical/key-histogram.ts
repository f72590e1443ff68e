// A histogram of the dates of an index, which says how far back a fixed amount of work reaches. A query that would cost more
// is run on the newest part of the index alone. The histogram is made from a sample of fixed size, so its cost does not grow
// with the number of documents.
import type { Context } from '../../context.ts';
import type { FullTextIndex } from '../../store/dialect.ts';
import { searchQueries } from '../search-connection.ts';
import { cachedAnswers } from './answer-cache.ts';

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
const cached = cachedAnswers<KeyHistogram>({ maxAgeMs: ({ docs }) => (docs < SAMPLE ? 10_000 : 600_000), most: 2 });

export function keyHistogram(ctx: Context, index: FullTextIndex): Promise<KeyHistogram> {
  return cached(ctx, index, () => readHistogram(ctx, index));
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

export interface Cost {
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
