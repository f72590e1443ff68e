// Chooses the index ranges of a feed, so that its cost depends on the page and not on the registry: with a selective
// filter a feed must not walk over everything that does not pass.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { keysOf } from '../../domain/records.ts';
import { facetsOf, filtersFacets } from './facet.ts';
import { type Branch, type FeedFilter, type FeedRequest, filtersSourceType, sourcesOfType } from './feed-query.ts';

// The branches to read, and the filters that remain to be checked on each row.
type FeedPlan = Pick<FeedRequest, 'branches' | 'filter'>;

// Above this share of the scope the next match is near, and one walk is cheaper than a range per source.
const COMMON_SHARE = 0.02;

export async function planFeed(ctx: Context, { branches: scope, filter }: FeedPlan): Promise<FeedPlan> {
  if (filter.hidden || scope.length === 0) return { branches: scope, filter };
  const [first] = scope;
  const wide = scope.length === 1 && (first?.column === null || first?.column === 'effective_category');
  if (filtersSourceType(filter) && first?.column !== 'source_id') {
    if (!wide || (await shareOfSources(ctx, scope, filter)) < COMMON_SHARE) {
      const { sourceTypes, excludeTypes, kind, ...rest } = filter;
      const ids = await matchingSourceIds(ctx, scope, filter);
      return { branches: ids.map((value) => ({ column: 'source_id', value })), filter: rest };
    }
  }
  // Security fixes of the whole registry have an index of their own.
  const isFaceted = filtersFacets(filter) && !filter.security;
  return first?.column === null && isFaceted ? facetRanges(filter) : { branches: scope, filter };
}

// The releases of the whole registry that pass a filter of facets.
export function facetRanges(filter: FeedFilter): FeedPlan {
  const { type, breaking, minImportance, ...rest } = filter;
  return {
    branches: facetsOf(filter).map((value) => ({ column: 'facet', value })),
    // A facet already determines whether its releases are pre-releases.
    filter: { ...rest, includePrereleases: true },
  };
}

// The sources that match the source filters, within a scope.
export async function matchingSourceIds(
  ctx: Context,
  scope: readonly Branch[],
  filter: FeedFilter,
): Promise<readonly string[]> {
  const rows = await matchingSources(ctx, scope, filter).select('fs.id').orderBy('fs.id').execute();
  return rows.map((row) => row.id);
}

// The share of all releases that belong to them.
async function shareOfSources(ctx: Context, scope: readonly Branch[], filter: FeedFilter): Promise<number> {
  const matched = await matchingSources(ctx, scope, filter)
    .innerJoin('source_figures as ff', 'ff.source_id', 'fs.id')
    .select(({ fn }) => fn.sum<number | null>('ff.release_count').as('releases'))
    .executeTakeFirst();
  const total = await queries(ctx)
    .selectFrom('source_figures')
    .select(({ fn }) => fn.sum<number | null>('release_count').as('releases'))
    .executeTakeFirst();
  return Number(matched?.releases ?? 0) / Math.max(1, Number(total?.releases ?? 0));
}

function matchingSources(ctx: Context, scope: readonly Branch[], filter: FeedFilter) {
  return sourcesOfType(queries(ctx), filter)
    .leftJoin('orgs as fo', 'fo.id', 'fs.org_id')
    .where('fs.deleted_at', 'is', null)
    .$if(scope[0]?.column !== null, (query) => query.where(belongsTo(scope)));
}

const OWNER_COLUMNS = {
  source_id: sql.ref('fs.id'),
  org_id: sql.ref('fs.org_id'),
  product_id: sql.ref('fs.product_id'),
  effective_category: sql`COALESCE(fp.category, fo.category)`,
} as const;

function belongsTo(scope: readonly Branch[]) {
  const columns = keysOf(OWNER_COLUMNS);
  const conditions = columns.flatMap((column) => {
    const values = scope.filter((branch) => branch.column === column).map((branch) => branch.value);
    return values.length === 0 ? [] : [sql<boolean>`${OWNER_COLUMNS[column]} IN (${sql.join(values)})`];
  });
  return sql<boolean>`(${sql.join(conditions, sql` OR `)})`;
}
