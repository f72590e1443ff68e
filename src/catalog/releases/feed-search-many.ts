// A feed with `q` over many owners. Rare words are looked up first, and their few releases are checked for an owner; for
// common ones the feed without words is walked, and the index says which of its rows have them.
import type { Context } from '../../context.ts';
import { applyFilter, type Branch, type FeedFilter, type FeedKey, type FeedPage, type FeedRow } from './feed-query.ts';
import { idsOfOwners, OWNED_COLUMNS, rowsOfIds, windowQuery } from './rare-releases.ts';
import { readRanges } from './read-ranges.ts';

// So many releases are checked for their owner within milliseconds.
const RARE = 1_000;
const MOST_ROWS = 1_000;
const MOST_KEYS = 4_000;

export async function searchManyBranches(
  ctx: Context,
  branches: readonly Branch[],
  filter: FeedFilter,
  page: FeedPage,
  after: FeedKey | null,
): Promise<FeedRow[]> {
  const { q = '', ...plain } = filter;
  const keys = await matchingKeys(ctx, q, 0, Number.MAX_SAFE_INTEGER, RARE);
  const wanted = page.limit + (page.offset ?? 0);
  const ids =
    keys.length < RARE
      ? await ownedReleases(ctx, keys, branches, plain, after)
      : await walkFeed(ctx, branches, { ...plain, q }, wanted, after);
  return rowsOfIds(ctx, ids.slice(page.offset ?? 0, wanted), page);
}

function matchingKeys(ctx: Context, q: string, minKey: number, maxKey: number, limit: number): Promise<number[]> {
  const range = { minKey, maxKey, limit };
  return ctx.ports.fullText.match(ctx, {
    q,
    scope: {},
    dates: 'any',
    includePrereleases: true,
    includeCoverage: true,
    ...range,
  });
}

async function ownedReleases(
  ctx: Context,
  keys: readonly number[],
  branches: readonly Branch[],
  filter: FeedFilter,
  after: FeedKey | null,
): Promise<string[]> {
  if (keys.length === 0) return [];
  const query = windowQuery(ctx, filter).where(ctx.store.dialect.amongKeys('r.doc_key', keys));
  return idsOfOwners(await applyFilter(query, filter).select(OWNED_COLUMNS).execute(), branches, after);
}

async function walkFeed(
  ctx: Context,
  branches: readonly Branch[],
  { q = '', ...filter }: FeedFilter,
  wanted: number,
  after: FeedKey | null,
): Promise<string[]> {
  const found: string[] = [];
  let cursor = after;
  for (let size = wanted; found.length < wanted; size = Math.min(2 * size, MOST_ROWS)) {
    const rows = await readRanges(ctx, branches, filter, { limit: size, includeContent: false }, cursor);
    for (const part of [rows.filter((row) => row.feed_at !== ''), rows.filter((row) => row.feed_at === '')]) {
      found.push(...(await idsWithWords(ctx, part, q)));
    }
    const last = rows.at(-1);
    if (!last || rows.length < size) break;
    cursor = { feedAt: last.feed_at, fetchedAt: last.fetched_at, id: last.id };
  }
  return found;
}

async function idsWithWords(ctx: Context, rows: readonly FeedRow[], q: string): Promise<string[]> {
  if (rows.length === 0) return [];
  const keys = rows.map((row) => row.doc_key);
  const minKey = Math.min(...keys);
  const matching = new Set<number>();
  let maxKey = Math.max(...keys);
  while (maxKey >= minKey) {
    const some = await matchingKeys(ctx, q, minKey, maxKey, MOST_KEYS);
    for (const key of some) matching.add(key);
    if (some.length < MOST_KEYS) break;
    maxKey = (some.at(-1) ?? minKey) - 1;
  }
  return rows.filter((row) => matching.has(row.doc_key)).map((row) => row.id);
}
