// A feed without words: the ranges that its plan names, read as one.
import type { Context } from '../../context.ts';
import { branchQuery, type FeedRequest, listings } from './feed-query.ts';
import { planFeed } from './feed-ranges.ts';
import { type FeedRow, shownColumns } from './feed-rows.ts';
import { FEW_PARTS, mergedKeys, newestFirstOf, partsOf } from './merge-ranges.ts';
import { ownedByFacets, rowsOfIds } from './rare-releases.ts';

export async function readRanges(ctx: Context, request: FeedRequest): Promise<FeedRow[]> {
  const owned = request.branches.length > FEW_PARTS ? await ownedByFacets(ctx, request) : null;
  if (owned) return owned;
  const { page, after } = request;
  const { branches, filter } = await planFeed(ctx, request);
  const parts = partsOf(branches, listings(filter));
  const [only] = parts;
  if (!only) return [];
  const offset = page.offset ?? 0;
  if (parts.length > 1) {
    // Each branch gives its own newest rows from its own index; the newest of all of them are read whole.
    const keys = await mergedKeys(ctx, parts, { filter, after, wanted: page.limit + offset });
    return rowsOfIds(
      ctx,
      keys.slice(offset).map(({ id }) => id),
      page,
    );
  }
  return newestFirstOf(branchQuery(ctx, only, { filter, after }))
    .select(shownColumns(page.includeContent ?? true))
    .limit(page.limit)
    .offset(offset)
    .execute();
}
