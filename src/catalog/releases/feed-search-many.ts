// A feed with `q` over many owners. Rare words are looked up first, and their few releases are checked for an owner;
// with common words the feed is walked.
import type { Context } from '../../context.ts';
import { filtersFacets } from './facet.ts';
import { applyFilter, type FeedRequest, hasSortOfSource, indexFilter, keyedReleases } from './feed-query.ts';
import type { FeedRow } from './feed-rows.ts';
import { idsOfOwners, OWNED_COLUMNS, rowsOfIds, withinDates } from './rare-releases.ts';
import { keysWithWords, walkFeed } from './walk-feed.ts';

// This many releases are checked for their owner within milliseconds.
const RARE = 1_000;

export async function searchManyBranches(ctx: Context, request: FeedRequest): Promise<FeedRow[]> {
  const { q = '', ...filter } = request.filter;
  const { page } = request;
  // With a selective filter a step covers a longer part of the feed.
  const sparse = filtersFacets(filter) || hasSortOfSource(filter);
  const match = { q, scope: {}, filter: indexFilter(filter), sparse };
  // Rarity is measured without the filter: with it, the index would skip over a common word until enough matches were
  // found.
  const words = { q, scope: {} };
  const keys = await keysWithWords(ctx, words, { minKey: 0, maxKey: Number.MAX_SAFE_INTEGER, limit: RARE });
  const wanted = page.limit + (page.offset ?? 0);
  const plain = { ...request, filter };
  const ids =
    keys.length < RARE ? await ownedReleases(ctx, keys, plain) : await walkFeed(ctx, plain, { ...match, wanted });
  return rowsOfIds(ctx, ids.slice(page.offset ?? 0, wanted), page);
}

async function ownedReleases(ctx: Context, keys: readonly number[], request: FeedRequest): Promise<string[]> {
  if (keys.length === 0) return [];
  const { filter } = request;
  const query = withinDates(ctx, keyedReleases(ctx, keys, false), filter);
  return idsOfOwners(await applyFilter(query, filter).select(OWNED_COLUMNS).execute(), request);
}
