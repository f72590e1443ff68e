// Where in time the documents of an index stand, and how far back a fixed amount of work reaches. Whatever would cost more is
// asked of the newest part of the index alone. A sample of a fixed size is read now and then, so the answer costs the same
// however many documents there are.
import type { Context } from '../../context.ts';
import type { FullTextIndex } from '../../store/dialect.ts';
import { searchQueries } from '../search-connection.ts';
import { cachedAnswers } from './answer-cache.ts';

const SAMPLE = 2_048;

interface KeyHistogram {
  // About how many documents there are.
  docs: number;
  // The lowest key such that this share of the documents stands at it or above.
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

// From a sample of keys, highest first, that stands for `step` documents each.
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

// Walking over this many entries takes some milliseconds.
export const WORK = 30_000;
// Next to a rare word an engine leaps over the entries of others, at the price of so many steps for each.
const LEAP = 25;

export interface Cost {
  // Entries that a search of the whole index walks over, in the cheaper of two ways.
  entries: number;
  // Whether the cheaper way is to leap.
  sparse: boolean;
}

interface Lists {
  // Documents in the shortest list, in all of them, and how many lists there are.
  rarest: number;
  entries: number;
  lists: number;
}

export function costOf({ rarest, entries, lists }: Lists): Cost {
  const leaps = rarest * (1 + LEAP * lists);
  return leaps < entries ? { entries: leaps, sparse: true } : { entries, sparse: false };
}

interface WorkWindow {
  // What the whole index would cost.
  entries: number;
  work?: number;
  // The newest key of the window.
  from?: number;
}

// How far back a window of so much work reaches; 0 when it reaches the end.
export function lowestKeyFor(histogram: KeyHistogram, { entries, work = WORK, from }: WorkWindow): number {
  if (entries <= work) return 0;
  const passed = from === undefined ? 0 : histogram.shareAbove(from);
  return histogram.keyAt(passed + work / entries);
}
