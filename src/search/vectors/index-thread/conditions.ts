// Filters as conditions of a query. Aliases: r releases, c chunks, s sources, o orgs, p products.
import { type RawBuilder, sql } from 'kysely';
import { visibleProduct, visibleSource } from '../../../catalog/visible.ts';
import type { SearchFilter } from '../../../domain/retrieval/retrievers.ts';
import type { EmbeddedEntity, VectorKind } from '../../../ports.ts';
import {
  KIND_COLUMNS,
  ORG_COLUMNS,
  PRODUCT_COLUMNS,
  RELEASE_COLUMNS,
  SOURCE_COLUMNS,
  WINDOW_COLUMNS,
} from '../../filters/columns.ts';
import { allOf, conditionsOf, type FilterColumns, type FilterCondition, notAmong } from '../../filters/entry.ts';
import { ENTITY_FILTERS, RELEASE_FILTERS } from '../../filters/table.ts';

// The description of the wanted vectors, as it is sent to the thread.
export interface WantedVectors {
  kind: VectorKind;
  filter: SearchFilter;
  exceptOrgIds?: readonly string[];
  entityType?: EmbeddedEntity;
  // The current time as ISO text; releases with a later date are not visible yet.
  now: string;
}

export function listingsOf({ includeCoverage }: SearchFilter): number[] {
  return includeCoverage ? [2, 1] : [2];
}

// Conditions of all filters but the listing, which callers add as an index range.
export function releaseConditions({ filter, exceptOrgIds, now }: WantedVectors): FilterCondition[] {
  const sources = sourcesOfSort(filter);
  return [
    sql<boolean>`r.feed_at <= ${now}`,
    ...conditionsOf(RELEASE_FILTERS, filter, RELEASE_COLUMNS),
    ...except(RELEASE_COLUMNS, exceptOrgIds),
    ...(sources ? [sql<boolean>`r.source_id IN (${sources})`] : []),
  ];
}

export function windowOf(filter: SearchFilter): FilterCondition[] {
  return conditionsOf(RELEASE_FILTERS, filter, WINDOW_COLUMNS);
}

// A query for the sources that a filter of kinds and types admits; null when the filter has neither.
export function sourcesOfSort(filter: SearchFilter): RawBuilder<unknown> | null {
  const conditions = conditionsOf(ENTITY_FILTERS, filter, KIND_COLUMNS);
  if (conditions.length === 0) return null;
  return sql`SELECT s.id FROM sources s LEFT JOIN products p ON p.id = s.product_id WHERE ${allOf(conditions)}`;
}

// The conditions on a source, or on the source of a chunk: its visibility and all filters on sources.
export function sourceConditions({ filter, exceptOrgIds }: WantedVectors): FilterCondition[] {
  return [
    visibleSource(),
    ...conditionsOf(ENTITY_FILTERS, filter, SOURCE_COLUMNS),
    ...except(SOURCE_COLUMNS, exceptOrgIds),
  ];
}

export function productConditions({ filter, exceptOrgIds }: WantedVectors): FilterCondition[] {
  return [
    visibleProduct(),
    ...conditionsOf(ENTITY_FILTERS, filter, PRODUCT_COLUMNS),
    ...except(PRODUCT_COLUMNS, exceptOrgIds),
  ];
}

export function orgConditions({ filter, exceptOrgIds }: WantedVectors): FilterCondition[] {
  return [
    sql<boolean>`(o.deleted_at IS NULL AND o.is_hidden = 0)`,
    ...conditionsOf(ENTITY_FILTERS, filter, ORG_COLUMNS),
    ...except(ORG_COLUMNS, exceptOrgIds),
  ];
}

function except({ org_id }: FilterColumns, orgIds: readonly string[] | undefined): FilterCondition[] {
  const condition = notAmong(org_id, orgIds);
  return condition ? [condition] : [];
}

// Joins that follow `sources s` in a statement.
export const OWNERS = sql`LEFT JOIN orgs o ON o.id = s.org_id LEFT JOIN products p ON p.id = s.product_id`;
