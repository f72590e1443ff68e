// A feed with `q` whose words are common, or whose scope is narrow: the feed without words is walked, and the index
// decides which of its rows match.
import type { Context } from '../../context.ts';
import type { FeedMatch } from '../../ports.ts';
import type { FeedRequest } from './feed-query.ts';
import { type FeedRow, keyOf } from './feed-rows.ts';
import { readRanges } from './read-ranges.ts';

const MIN_ROWS = 32;
const MAX_ROWS = 1_000;
const MAX_KEYS = 4_000;
// Nearly all rows may match, so slightly more rows than needed make one step enough.
const SPARE = 1.15;

// The index query for the rows of a walk.
type WordMatch = Pick<FeedMatch, 'q' | 'scope' | 'filter' | 'sparse'>;

// The ids of the requested number of matching rows, newest first.
export async function walkFeed(
  ctx: Context,
  request: FeedRequest,
  { wanted, ...match }: WordMatch & { wanted: number },
): Promise<string[]> {
  const found: string[] = [];
  let { after } = request;
  let seen = 0;
  let size = rowsToRead(wanted);
  while (found.length < wanted) {
    const rows = await readRanges(ctx, { ...request, page: { limit: size, includeContent: false }, after });
    for (const part of [rows.filter((row) => row.feed_at !== ''), rows.filter((row) => row.feed_at === '')]) {
      found.push(...(await idsWithWords(ctx, part, match)));
    }
    const last = rows.at(-1);
    if (!last || rows.length < size) break;
    after = keyOf(last);
    seen += rows.length;
    size = rowsToRead(((wanted - found.length) * seen) / Math.max(1, found.length));
  }
  return found;
}

function rowsToRead(expected: number): number {
  return Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.ceil(SPARE * expected)));
}

async function idsWithWords(ctx: Context, rows: readonly FeedRow[], match: WordMatch): Promise<string[]> {
  if (rows.length === 0) return [];
  const keys = rows.map((row) => row.doc_key);
  const minKey = Math.min(...keys);
  const matching = new Set<number>();
  let maxKey = Math.max(...keys);
  while (maxKey >= minKey) {
    const some = await keysWithWords(ctx, match, { minKey, maxKey, limit: MAX_KEYS });
    for (const key of some) matching.add(key);
    if (some.length < MAX_KEYS) break;
    maxKey = (some.at(-1) ?? minKey) - 1;
  }
  return rows.filter((row) => matching.has(row.doc_key)).map((row) => row.id);
}

type KeyRange = Pick<FeedMatch, 'minKey' | 'maxKey' | 'limit'>;

// The keys of all matching rows, without the other filters of the feed.
export function keysWithWords(ctx: Context, match: WordMatch, range: KeyRange): Promise<number[]> {
  return ctx.ports.fullText.match(ctx, {
    ...match,
    dates: 'any',
    includePrereleases: true,
    includeCoverage: true,
    ...range,
  });
}
