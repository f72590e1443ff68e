// A feed over many owners whose filter few releases pass: those few are read, and checked for an owner.
import type { Context } from '../../context.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { FACET, facetsOf, filtersFacets } from './facet.ts';
import {
  applyFilter,
  columns,
  type FeedFilter,
  type FeedPage,
  type FeedRequest,
  type FeedRow,
  isAfter,
  listings,
  newestFirst,
  type ReleaseQuery,
  releaseQuery,
  upperBound,
} from './feed-query.ts';

// So many releases are read within milliseconds.
const RARE = 2_000;
const OWNERS = ['org_id', 'product_id', 'source_id', 'effective_category'] as const;

export const OWNED_COLUMNS = [
  'r.id',
  'r.feed_at',
  'r.fetched_at',
  'r.org_id',
  'r.product_id',
  'r.source_id',
  'r.effective_category',
] as const;

type OwnedRow = Pick<ReleaseRow, 'id' | 'feed_at' | 'fetched_at' | (typeof OWNERS)[number]>;

// Null when the filter lets too many through.
export async function rareReleases(ctx: Context, request: FeedRequest): Promise<FeedRow[] | null> {
  const { filter, page } = request;
  if (!filtersFacets(filter)) return null;
  const { type, breaking, minImportance, ...rest } = filter;
  const passing = withinDates(ctx, releaseQuery(ctx), filter).where(FACET, 'in', [...facetsOf(filter), -1]);
  const rows = await applyFilter(passing, { ...rest, includePrereleases: true })
    .select(OWNED_COLUMNS)
    .limit(RARE)
    .execute();
  if (rows.length === RARE) return null;
  const offset = page.offset ?? 0;
  return rowsOfIds(ctx, idsOfOwners(rows, request).slice(offset, offset + page.limit), page);
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
    .select(columns(page.includeContent ?? true))
    .where('r.id', 'in', ids)
    .execute();
  return rows.sort(newestFirst);
}
