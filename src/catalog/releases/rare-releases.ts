// A feed over many owners whose filter few releases pass: those few are read, and checked for an owner.
import { type Context, queries } from '../../context.ts';
import type { ReleaseRow } from '../../store/schema.ts';
import { FACET, facetsOf, filtersFacets } from './facet.ts';
import {
  applyFilter,
  type Branch,
  columns,
  type FeedFilter,
  type FeedKey,
  type FeedPage,
  type FeedRow,
  listings,
  newestFirst,
  type ReleaseQuery,
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

// Null when there are too many for this way.
export async function rareReleases(
  ctx: Context,
  branches: readonly Branch[],
  filter: FeedFilter,
  page: FeedPage,
  after: FeedKey | null,
): Promise<FeedRow[] | null> {
  if (!filtersFacets(filter)) return null;
  const { type, breaking, minImportance, ...rest } = filter;
  const passing = windowQuery(ctx, filter).where(FACET, 'in', [...facetsOf(filter), -1]);
  const rows = await applyFilter(passing, { ...rest, includePrereleases: true })
    .select(OWNED_COLUMNS)
    .limit(RARE)
    .execute();
  if (rows.length === RARE) return null;
  const offset = page.offset ?? 0;
  return rowsOfIds(ctx, idsOfOwners(rows, branches, after).slice(offset, offset + page.limit), page);
}

// Releases of any owner within the dates of a filter.
export function windowQuery(ctx: Context, filter: FeedFilter): ReleaseQuery {
  const query = queries(ctx)
    .selectFrom('releases as r')
    .where('r.listing', 'in', listings(filter))
    .where('r.feed_at', '<=', upperBound(ctx, filter)) as unknown as ReleaseQuery;
  if (!filter.since && !filter.until) return query;
  return query.where('r.feed_at', '>=', filter.since ?? '').where('r.published_at', 'is not', null);
}

export function idsOfOwners(rows: readonly OwnedRow[], branches: readonly Branch[], after: FeedKey | null): string[] {
  const owners = new Set(branches.map(({ column, value }) => `${column} ${value}`));
  const cursor = after && { feed_at: after.feedAt, fetched_at: after.fetchedAt, id: after.id };
  return rows
    .filter((row) => OWNERS.some((column) => owners.has(`${column} ${row[column]}`)))
    .filter((row) => cursor === null || newestFirst(cursor, row) < 0)
    .sort(newestFirst)
    .map((row) => row.id);
}

export async function rowsOfIds(ctx: Context, ids: readonly string[], page: FeedPage): Promise<FeedRow[]> {
  if (ids.length === 0) return [];
  const rows = await queries(ctx)
    .selectFrom('releases as r')
    .select(columns(page.includeContent ?? true))
    .where('r.id', 'in', ids)
    .execute();
  return (rows as unknown as FeedRow[]).sort(newestFirst);
}
