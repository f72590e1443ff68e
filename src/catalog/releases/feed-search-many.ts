// A feed with `q` over many owners. Rare words are looked up first, and their few releases are checked for an owner; for
// common ones the feed without words is walked, and the index says which of its rows have them.
import type { Context } from '../../context.ts';
import type { FeedMatch } from '../../ports.ts';
import { applyFilter, type FeedRequest, type FeedRow } from './feed-query.ts';
import { idsOfOwners, OWNED_COLUMNS, rowsOfIds, windowQuery } from './rare-releases.ts';
import { readRanges } from './read-ranges.ts';

// So many releases are checked for their owner within milliseconds.
const RARE = 1_000;
const MOST_ROWS = 1_000;
const MOST_KEYS = 4_000;

export async function searchManyBranches(ctx: Context, request: FeedRequest): Promise<FeedRow[]> {
  const { q = '', ...filter } = request.filter;
  const { page } = request;
  const keys = await matchingKeys(ctx, q, { minKey: 0, maxKey: Number.MAX_SAFE_INTEGER, limit: RARE });
  const wanted = page.limit + (page.offset ?? 0);
  const plain = { ...request, filter };
  const ids = keys.length < RARE ? await ownedReleases(ctx, keys, plain) : await walkFeed(ctx, plain, { q, wanted });
  return rowsOfIds(ctx, ids.slice(page.offset ?? 0, wanted), page);
}

type KeyRange = Pick<FeedMatch, 'minKey' | 'maxKey' | 'limit'>;

function matchingKeys(ctx: Context, q: string, range: KeyRange): Promise<number[]> {
  return ctx.ports.fullText.match(ctx, {
    q,
    scope: {},
    dates: 'any',
    includePrereleases: true,
    includeCoverage: true,
    ...range,
  });
}

async function ownedReleases(ctx: Context, keys: readonly number[], request: FeedRequest): Promise<string[]> {
  if (keys.length === 0) return [];
  const query = windowQuery(ctx, request.filter).where(ctx.store.dialect.amongKeys('r.doc_key', keys));
  return idsOfOwners(await applyFilter(query, request.filter).select(OWNED_COLUMNS).execute(), request);
}

async function walkFeed(
  ctx: Context,
  request: FeedRequest,
  { q, wanted }: { q: string; wanted: number },
): Promise<string[]> {
  const found: string[] = [];
  let { after } = request;
  for (let size = wanted; found.length < wanted; size = Math.min(2 * size, MOST_ROWS)) {
    const rows = await readRanges(ctx, { ...request, page: { limit: size, includeContent: false }, after });
    for (const part of [rows.filter((row) => row.feed_at !== ''), rows.filter((row) => row.feed_at === '')]) {
      found.push(...(await idsWithWords(ctx, part, q)));
    }
    const last = rows.at(-1);
    if (!last || rows.length < size) break;
    after = { feedAt: last.feed_at, fetchedAt: last.fetched_at, id: last.id };
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
    const some = await matchingKeys(ctx, q, { minKey, maxKey, limit: MOST_KEYS });
    for (const key of some) matching.add(key);
    if (some.length < MOST_KEYS) break;
    maxKey = (some.at(-1) ?? minKey) - 1;
  }
  return rows.filter((row) => matching.has(row.doc_key)).map((row) => row.id);
}
