// A feed over many owners with a selective filter: the few matching releases are walked and checked for an owner.
import type { Context } from '../../context.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { filtersFacets } from './facet.ts';
import {
  type FeedFilter,
  type FeedPage,
  type FeedRequest,
  listings,
  type ReleaseQuery,
  releaseQuery,
  upperBound,
} from './feed-query.ts';
import { facetRanges, matchingSourceIds } from './feed-ranges.ts';
import { type FeedRow, isAfter, keyOf, newestFirst, shownColumns } from './feed-rows.ts';
import { mergedKeys, partsOf } from './merge-ranges.ts';

// This many entries are read within milliseconds.
const MAX_WALKED = 2_000;
// If every fourth release has a matching owner, the first step fills the page.
const FIRST_STEP = 4;
const OWNERS = ['org_id', 'product_id', 'source_id', 'effective_category'] as const;

export const OWNED_COLUMNS = [
  'r.id',
  'r.feed_at',
  'r.feed_version',
  'r.org_id',
  'r.product_id',
  'r.source_id',
  'r.effective_category',
] as const;

type OwnedRow = Pick<ReleaseRow, 'id' | 'feed_at' | 'feed_version' | (typeof OWNERS)[number]>;

// Walks the facets from the newest entry; the index alone contains the source. Null when the owners have so few entries
// that a query per owner is cheaper.
export async function ownedByFacets(ctx: Context, request: FeedRequest): Promise<FeedRow[] | null> {
  if (!filtersFacets(request.filter) || request.filter.hidden) return null;
  const { sourceTypes, excludeTypes, kind, ...facets } = request.filter;
  const owned = new Set(await matchingSourceIds(ctx, request.branches, { sourceTypes, excludeTypes, kind }));
  const { branches, filter } = facetRanges(facets);
  const parts = partsOf(branches, listings(filter));
  const { page } = request;
  const offset = page.offset ?? 0;
  const wanted = page.limit + offset;
  const ids: string[] = [];
  let { after } = request;
  let seen = 0;
  for (let size = FIRST_STEP * wanted; seen < MAX_WALKED; size *= 2) {
    const keys = await mergedKeys(ctx, parts, { filter, after, wanted: size, withSource: true });
    for (const { id, source_id = '' } of keys) if (owned.has(source_id)) ids.push(id);
    const last = keys.at(-1);
    if (ids.length >= wanted || !last || keys.length < size) return rowsOfIds(ctx, ids.slice(offset, wanted), page);
    after = keyOf(last);
    seen += keys.length;
  }
  return null;
}

// Releases of any owner within the dates of a filter.
export function withinDates(ctx: Context, query: ReleaseQuery, filter: FeedFilter): ReleaseQuery {
  const shown = query.where('r.listing', 'in', listings(filter)).where('r.feed_at', '<=', upperBound(ctx, filter));
  if (!filter.since && !filter.until) return shown;
  return shown.where('r.feed_at', '>=', filter.since ?? '').where('r.published_at', 'is not', null);
}

export function idsOfOwners(rows: readonly OwnedRow[], request: Pick<FeedRequest, 'branches' | 'after'>): string[] {
  const owners = new Set(request.branches.map(({ column, value }) => `${column} ${value}`));
  return rows
    .filter((row) => OWNERS.some((column) => owners.has(`${column} ${row[column]}`)))
    .filter((row) => isAfter(request, row))
    .sort(newestFirst)
    .map((row) => row.id);
}

export async function rowsOfIds(ctx: Context, ids: readonly string[], page: FeedPage): Promise<FeedRow[]> {
  if (ids.length === 0) return [];
  const rows = await releaseQuery(ctx)
    .select(shownColumns(page.includeContent ?? true))
    .where(ctx.store.dialect.amongIds('r.id', ids))
    .execute();
  return rows.sort(newestFirst);
}
