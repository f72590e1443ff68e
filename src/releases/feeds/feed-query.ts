// The parts that every query of a release feed shares: scope, filters, columns and order.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { Kind, SourceType } from '../../contract/enums.ts';
import { filtersMeaning, type MeaningFilter, PASSING_VERDICTS } from '../../domain/meaning/passes-meaning.ts';
import type { FeedMatch } from '../../ports.ts';
import type { Queries } from '../../store/schema/index.ts';
import { FACET, type FacetFilter, facetsOf, filtersFacets } from './facet.ts';
import { columns, type FeedKey } from './feed-rows.ts';

type ScopeColumn = 'source_id' | 'org_id' | 'product_id' | 'effective_category';

// A branch is one range of one feed index. A scope is one branch, or several that are merged.
export type Branch =
  | { column: ScopeColumn; value: string }
  | { column: 'facet'; value: number }
  | { column: null; value: '' };

export interface FeedFilter extends FacetFilter {
  includeCoverage?: boolean;
  // Only releases that repair a security problem.
  security?: boolean;
  // Only releases that meet any of its conditions.
  meaning?: MeaningFilter;
  // The rows of a hidden entity, for callers who may see it.
  hidden?: boolean;
  sourceTypes?: readonly SourceType[];
  excludeTypes?: readonly SourceType[];
  kind?: Kind;
  productId?: string;
  // The releases of one package of a source; null: those that name no package.
  packagePart?: string | null;
  // Restricts the scope to these sources when it contains hidden ones.
  sourceIds?: readonly string[];
  // A further condition on the release `r`.
  only?: RawBuilder<boolean> | undefined;
  q?: string;
  since?: string | null;
  until?: string | null;
  // A lower bound of the order time of the page, where it is known in advance.
  notBefore?: string;
}

export interface FeedPage {
  cursor?: string;
  limit: number;
  includeContent?: boolean;
  // Rows to skip; used only for numbered pages of one source.
  offset?: number;
}

// The request for a page of a feed: scope, filters, size and the row to continue after.
export interface FeedRequest {
  branches: readonly Branch[];
  filter: FeedFilter;
  page: FeedPage;
  after: FeedKey | null;
}

export type ReleaseQuery = ReturnType<typeof releaseQuery>;

export function releaseQuery(ctx: Context) {
  return queries(ctx).selectFrom('releases as r');
}

// Releases by their full-text keys. The conditions of a feed are checked afterwards: with all of them in one statement
// the planner may prefer the index of the feed and walk the whole scope.
export function keyedReleases(ctx: Context, keys: readonly number[], includeContent: boolean): ReleaseQuery {
  const { dialect } = ctx.store;
  const query = queries(ctx)
    .with(
      (cte) => cte('keyed').materialized(),
      (db) =>
        db.selectFrom('releases as r').select(columns(includeContent)).where(dialect.amongKeys('r.doc_key', keys)),
    )
    .selectFrom('keyed as r');
  return query as unknown as ReleaseQuery;
}

export function listings(filter: FeedFilter): number[] {
  const sign = filter.hidden ? -1 : 1;
  return filter.includeCoverage ? [2 * sign, sign] : [2 * sign];
}

// The value of a branch, or the column that contains it when one statement covers several.
interface RangeOf {
  column: Branch['column'];
  value: Branch['value'] | RawBuilder<string>;
}

// One range of one index: a branch and one listing value.
interface IndexRange {
  branch: RangeOf;
  listing: number;
}

export function branchQuery(
  ctx: Context,
  { branch, listing }: IndexRange,
  { filter, after }: Pick<FeedRequest, 'filter' | 'after'>,
): ReleaseQuery {
  let query = releaseQuery(ctx).where('r.listing', '=', listing);
  if (branch.column) query = query.where(sql<boolean>`${branchColumn(branch.column)} = ${branch.value}`);
  return applyFilter(withinWindow(query, { upper: upperBound(ctx, filter), filter, after }), filter);
}

// With a cursor at or below the bound the bound is redundant, and the index needs a single range.
function withinWindow(
  query: ReleaseQuery,
  { upper, filter, after }: Pick<FeedRequest, 'filter' | 'after'> & { upper: string },
): ReleaseQuery {
  let bounded = query;
  if (after && after.feedAt <= upper) {
    bounded = bounded.where((eb) =>
      eb(eb.refTuple('r.feed_at', 'r.feed_version', 'r.id'), '<', eb.tuple(after.feedAt, after.feedVersion, after.id)),
    );
  } else {
    bounded = bounded.where('r.feed_at', '<=', upper);
  }
  if (filter.notBefore) bounded = bounded.where('r.feed_at', '>=', filter.notBefore);
  if (!filter.since && !filter.until) return bounded;
  // A date window excludes undated releases, which have an order time at most.
  bounded = bounded.where('r.published_at', 'is not', null);
  return filter.since ? bounded.where('r.feed_at', '>=', filter.since) : bounded.where('r.feed_at', '>', '');
}

export function branchColumn(column: ScopeColumn | 'facet'): RawBuilder<unknown> {
  return column === 'facet' ? FACET : sql.ref(`r.${column}`);
}

export function upperBound(ctx: Context, filter: FeedFilter): string {
  const present = now(ctx);
  return filter.until && filter.until < present ? filter.until : present;
}

export function applyFilter(query: ReleaseQuery, filter: FeedFilter): ReleaseQuery {
  let narrowed = query;
  if (!filter.includePrereleases) narrowed = narrowed.where('r.prerelease', '=', 0);
  if (filtersFacets(filter)) narrowed = narrowed.where(FACET, 'in', [...facetsOf(filter), -1]);
  // A literal, so that the planner sees that the indexes of just these fit.
  if (filter.security) narrowed = narrowed.where(sql<boolean>`r.security = 1`);
  if (filter.only) narrowed = narrowed.where(filter.only);
  if (filter.meaning && filtersMeaning(filter.meaning)) narrowed = narrowed.where(hasMeaning(filter.meaning));
  if (filter.productId) narrowed = narrowed.where('r.product_id', '=', filter.productId);
  if (filter.packagePart !== undefined) {
    narrowed = narrowed.where('r.package_part', filter.packagePart === null ? 'is' : '=', filter.packagePart);
  }
  if (filter.sourceIds) narrowed = narrowed.where('r.source_id', 'in', [...filter.sourceIds, '']);
  if (filtersSourceType(filter)) narrowed = narrowed.where((eb) => eb.exists(sourceOfType(eb, filter)));
  return narrowed;
}

// `passesMeaning` as a condition. Verdict and importance come first, because the indexes contain them.
function hasMeaning({ minBreaking, minImportance, security }: MeaningFilter): RawBuilder<boolean> {
  const facets = [
    ...(minBreaking ? facetsOf({ breaking: PASSING_VERDICTS[minBreaking], includePrereleases: true }) : []),
    ...(minImportance ? facetsOf({ minImportance, includePrereleases: true }) : []),
  ];
  const conditions = [
    ...(facets.length > 0 ? [sql<boolean>`${FACET} IN (${sql.join([...new Set(facets)].map(sql.lit))})`] : []),
    ...(security ? [sql<boolean>`r.security = 1`] : []),
    ...(minBreaking ? [sql<boolean>`r.proven = 1`] : []),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` OR `)})`;
}

// The part of a filter that the full-text index can apply.
export function indexFilter(filter: FeedFilter): NonNullable<FeedMatch['filter']> {
  const { kind, sourceTypes, excludeTypes, type, breaking, minImportance } = filter;
  return { kinds: kind && [kind], sourceTypes, excludedSourceTypes: excludeTypes, type, breaking, minImportance };
}

export function filtersSourceType({ sourceTypes, excludeTypes, kind }: FeedFilter): boolean {
  return sourceTypes !== undefined || excludeTypes !== undefined || kind !== undefined;
}

// Checked for each release that is read, because a list of all such sources takes longer to build than the page. The
// expression around the id prevents the planner from starting at the sources and sorting all their releases.
function sourceOfType(db: unknown, filter: FeedFilter) {
  return sourcesOfType(db as Pick<Queries, 'selectFrom'>, filter)
    .select('fs.id')
    .where(sql<boolean>`fs.id = COALESCE(r.source_id, '')`);
}

// Sources by attributes that their releases do not copy.
export function sourcesOfType(db: Pick<Queries, 'selectFrom'>, { sourceTypes, excludeTypes, kind }: FeedFilter) {
  return db
    .selectFrom('sources as fs')
    .leftJoin('products as fp', 'fp.id', 'fs.product_id')
    .$if(sourceTypes !== undefined, (query) => query.where('fs.type', 'in', sourceTypes ?? []))
    .$if(excludeTypes !== undefined, (query) => query.where('fs.type', 'not in', excludeTypes ?? []))
    .$if(kind !== undefined, (query) => query.where(sql`COALESCE(fs.kind, fp.kind)`, '=', kind));
}
