// Filters as conditions of a query. Aliases: r releases, c chunks, s sources, o orgs, p products.
import { type RawBuilder, sql } from 'kysely';
import { visibleProduct, visibleSource } from '../../../catalog/visible.ts';
import type { SearchFilter } from '../../../domain/search-legs.ts';
import type { EmbeddedEntity, VectorKind } from '../../../ports.ts';
import { type Condition, conditionsOf, type FilterColumns, notAmong } from '../../filters/entry.ts';
import { ENTITY_FILTERS, RELEASE_FILTERS } from '../../filters/table.ts';

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

export function listingsOf({ includeCoverage }: SearchFilter): number[] {
  return includeCoverage ? [2, 1] : [2];
}

// What is dated stands at its date in the order of feeds, and that is what the indexes serve.
const WINDOW_COLUMNS: FilterColumns = { published_at: sql`r.published_at`, feed_at: sql`r.feed_at` };

// The listing is left to the statement, which has one range of an index for each.
const RELEASE_COLUMNS: FilterColumns = {
  org_id: sql`r.org_id`,
  product_id: sql`r.product_id`,
  source_id: sql`r.source_id`,
  category: sql`r.effective_category`,
  type: sql`r.type`,
  breaking: sql`r.breaking`,
  importance: sql`r.importance`,
  prerelease: sql`r.prerelease`,
  ...WINDOW_COLUMNS,
};

// What a release has from its source.
const SORT_COLUMNS: FilterColumns = { kind: sql`COALESCE(s.kind, p.kind)`, source_type: sql`s.type` };

const SOURCE_COLUMNS: FilterColumns = {
  ...SORT_COLUMNS,
  org_id: sql`s.org_id`,
  product_id: sql`s.product_id`,
  source_id: sql`s.id`,
  category: sql`COALESCE(p.category, o.category)`,
};

const PRODUCT_COLUMNS: FilterColumns = {
  org_id: sql`p.org_id`,
  product_id: sql`p.id`,
  category: sql`COALESCE(p.category, o.category)`,
  kind: sql`p.kind`,
};

const ORG_COLUMNS: FilterColumns = { org_id: sql`o.id`, category: sql`o.category` };

/** Everything but the listing. */
export function releaseConditions({ filter, exceptOrgIds, now }: Wanted): Condition[] {
  const sources = sourcesOfSort(filter);
  return [
    sql<boolean>`r.feed_at <= ${now}`,
    ...conditionsOf(RELEASE_FILTERS, filter, RELEASE_COLUMNS),
    ...except(RELEASE_COLUMNS, exceptOrgIds),
    ...(sources ? [sql<boolean>`r.source_id IN (${sources})`] : []),
  ];
}

export function windowOf(filter: SearchFilter): Condition[] {
  return conditionsOf(RELEASE_FILTERS, filter, WINDOW_COLUMNS);
}

/** Ids of the sources that a filter of kinds and types leaves; null when it says nothing about them. */
export function sourcesOfSort(filter: SearchFilter): RawBuilder<unknown> | null {
  const conditions = conditionsOf(ENTITY_FILTERS, filter, SORT_COLUMNS);
  if (conditions.length === 0) return null;
  return sql`SELECT s.id FROM sources s LEFT JOIN products p ON p.id = s.product_id WHERE ${allOf(conditions)}`;
}

/** What holds of the source of a chunk or of a source itself: visible, and all filters that know sources. */
export function sourceConditions({ filter, exceptOrgIds }: Wanted): Condition[] {
  return [
    visibleSource(),
    ...conditionsOf(ENTITY_FILTERS, filter, SOURCE_COLUMNS),
    ...except(SOURCE_COLUMNS, exceptOrgIds),
  ];
}

export function productConditions({ filter, exceptOrgIds }: Wanted): Condition[] {
  return [
    visibleProduct(),
    ...conditionsOf(ENTITY_FILTERS, filter, PRODUCT_COLUMNS),
    ...except(PRODUCT_COLUMNS, exceptOrgIds),
  ];
}

export function orgConditions({ filter, exceptOrgIds }: Wanted): Condition[] {
  return [
    sql<boolean>`(o.deleted_at IS NULL AND o.is_hidden = 0)`,
    ...conditionsOf(ENTITY_FILTERS, filter, ORG_COLUMNS),
    ...except(ORG_COLUMNS, exceptOrgIds),
  ];
}

function except({ org_id }: FilterColumns, orgIds: readonly string[] | undefined): Condition[] {
  const condition = notAmong(org_id, orgIds);
  return condition ? [condition] : [];
}

/** After `sources s`. */
export const OWNERS = sql`LEFT JOIN orgs o ON o.id = s.org_id LEFT JOIN products p ON p.id = s.product_id`;
