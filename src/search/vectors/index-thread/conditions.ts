// Filters as conditions of a query. Aliases: r releases, c chunks, s sources, o orgs, p products.
import { type RawBuilder, sql } from 'kysely';
import { visibleProduct, visibleSource } from '../../../catalog/visible.ts';
import type { SearchFilter } from '../../../domain/search-legs.ts';
import type { EmbeddedEntity, VectorKind } from '../../../ports.ts';

export type Condition = RawBuilder<boolean>;

/** What to look for, as it crosses to the thread. */
export interface Wanted {
  kind: VectorKind;
  filter: SearchFilter;
  exceptOrgIds?: readonly string[];
  entityType?: EmbeddedEntity;
  // ISO text of the present: what is dated later does not exist yet.
  now: string;
}

export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
}

export function among(column: RawBuilder<unknown>, values: readonly string[] | undefined): Condition[] {
  if (values === undefined) return [];
  return values.length === 0 ? [sql<boolean>`1 = 0`] : [sql<boolean>`${column} IN (${sql.join([...values])})`];
}

export function notAmong(column: RawBuilder<unknown>, values: readonly string[] | undefined): Condition[] {
  if (values === undefined || values.length === 0) return [];
  return [sql<boolean>`(${column} IS NULL OR ${column} NOT IN (${sql.join([...values])}))`];
}

export function listingsOf({ includeCoverage }: SearchFilter): number[] {
  return includeCoverage ? [2, 1] : [2];
}

/** Everything but the listing. */
export function releaseConditions({ filter, exceptOrgIds, now }: Wanted): Condition[] {
  const sources = sourcesOfSort(filter);
  return [
    sql<boolean>`r.feed_at <= ${now}`,
    ...(filter.includePrereleases ? [] : [sql<boolean>`r.prerelease = 0`]),
    ...among(sql`r.org_id`, filter.orgIds),
    ...among(sql`r.product_id`, filter.productIds),
    ...among(sql`r.source_id`, filter.sourceIds),
    ...among(sql`r.effective_category`, filter.categories),
    ...notAmong(sql`r.org_id`, exceptOrgIds),
    ...(sources ? [sql<boolean>`r.source_id IN (${sources})`] : []),
    ...(filter.type === undefined ? [] : [sql<boolean>`r.type = ${filter.type}`]),
    ...among(sql`r.breaking`, filter.breaking),
    ...(filter.minImportance === undefined ? [] : [sql<boolean>`r.importance >= ${filter.minImportance}`]),
    ...windowOf(filter),
  ];
}

// Undated releases have no place in a window.
export function windowOf({ since, until }: SearchFilter): Condition[] {
  return [
    ...(since === undefined && until === undefined ? [] : [sql<boolean>`r.published_at IS NOT NULL`]),
    ...(since === undefined ? [] : [sql<boolean>`r.feed_at >= ${since}`]),
    ...(until === undefined ? [] : [sql<boolean>`r.feed_at <= ${until}`]),
  ];
}

/** Ids of the sources that a filter of kinds and types leaves; null when it says nothing about them. */
export function sourcesOfSort({ kinds, sourceTypes, excludedSourceTypes }: SearchFilter): RawBuilder<unknown> | null {
  const conditions = sortConditions({ kinds, sourceTypes, excludedSourceTypes });
  if (conditions.length === 0) return null;
  return sql`SELECT s.id FROM sources s LEFT JOIN products p ON p.id = s.product_id WHERE ${allOf(conditions)}`;
}

type Sort = Pick<SearchFilter, 'kinds' | 'sourceTypes' | 'excludedSourceTypes'>;

function sortConditions({ kinds, sourceTypes, excludedSourceTypes }: Sort): Condition[] {
  return [
    ...among(sql`COALESCE(s.kind, p.kind)`, kinds),
    ...among(sql`s.type`, sourceTypes),
    ...notAmong(sql`s.type`, excludedSourceTypes),
  ];
}

/** What holds of the source of a chunk or of a source itself: visible, and all filters that know sources. */
export function sourceConditions({ filter, exceptOrgIds }: Wanted): Condition[] {
  return [
    visibleSource(),
    ...among(sql`s.org_id`, filter.orgIds),
    ...among(sql`s.product_id`, filter.productIds),
    ...among(sql`s.id`, filter.sourceIds),
    ...among(sql`COALESCE(p.category, o.category)`, filter.categories),
    ...notAmong(sql`s.org_id`, exceptOrgIds),
    ...sortConditions(filter),
  ];
}

export function productConditions({ filter, exceptOrgIds }: Wanted): Condition[] {
  return [
    visibleProduct(),
    ...among(sql`p.org_id`, filter.orgIds),
    ...among(sql`p.id`, filter.productIds),
    ...among(sql`COALESCE(p.category, o.category)`, filter.categories),
    ...notAmong(sql`p.org_id`, exceptOrgIds),
    ...among(sql`p.kind`, filter.kinds),
  ];
}

export function orgConditions({ filter, exceptOrgIds }: Wanted): Condition[] {
  return [
    sql<boolean>`(o.deleted_at IS NULL AND o.is_hidden = 0)`,
    ...among(sql`o.id`, filter.orgIds),
    ...among(sql`o.category`, filter.categories),
    ...notAmong(sql`o.id`, exceptOrgIds),
  ];
}

/** After `sources s`. */
export const OWNERS = sql`LEFT JOIN orgs o ON o.id = s.org_id LEFT JOIN products p ON p.id = s.product_id`;
