// Where in time the documents of an index stand: which share of them is newer than a key. A sample of a fixed size is
// read now and then, so the answer costs the same however many there are.
import type { Context } from '../../context.ts';
import type { FullTextIndex } from '../../store/dialect.ts';
import { keptAnswers } from './kept.ts';
import { searchQueries } from './queries.ts';

const SAMPLE = 2_048;

export interface KeyLadder {
  /** About how many documents there are. */
  docs: number;
  /** The lowest key such that this share of the documents stands at it or above. */
  keyAt(share: number): number;
  shareAbove(key: number): number;
}

const TABLES = { releases: 'releases', chunks: 'changelog_chunks' } as const satisfies Record<FullTextIndex, string>;

// A small registry may be one that is being filled.
const kept = keptAnswers<KeyLadder>({ keptMs: ({ docs }) => (docs < SAMPLE ? 10_000 : 600_000), most: 2 });

export function keyLadder(ctx: Context, index: FullTextIndex): Promise<KeyLadder> {
  return kept(ctx, index, () => readLadder(ctx, index));
}

async function readLadder(ctx: Context, index: FullTextIndex): Promise<KeyLadder> {
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
  return ladderOf(keys, step);
}

/** From a sample of keys, highest first, that stands for `step` documents each. */
export function ladderOf(keys: readonly number[], step: number): KeyLadder {
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
