// Finds the newest keys that pass a filter by reading a suitable index. The number of rows is limited: a filter that few
// releases pass has an index of its own, and one that many pass is satisfied soon.
import { type RawBuilder, sql } from 'kysely';
import type { SearchFilter } from '../../../domain/retrieval/retrievers.ts';
import { visibleProduct, visibleSource } from '../../../entities/visible.ts';
import type { EmbeddedEntity, VectorKind } from '../../../ports.ts';
import type { DatabaseReader } from '../../../store/open-reader.ts';
import {
  KIND_COLUMNS,
  ORG_COLUMNS,
  PRODUCT_COLUMNS,
  RELEASE_COLUMNS,
  SOURCE_COLUMNS,
  WINDOW_COLUMNS,
} from '../../filters/columns.ts';
import {
  allOf,
  conditionsOf,
  type FilterColumns,
  type FilterCondition,
  INDEX_RANKS,
  narrows,
  notAmong,
} from '../../filters/entry.ts';
import { ENTITY_FILTERS, RELEASE_FILTERS } from '../../filters/table.ts';

interface NewestKeys {
  keys: number[];
  // True when no passing key is missing.
  complete: boolean;
}

interface Looking {
  // The most rows of the index that are read.
  rows: number;
  // The most keys that are returned.
  most: number;
}

export function newestKeys(reader: DatabaseReader, wanted: WantedVectors, looking: Looking): Promise<NewestKeys> {
  switch (wanted.kind) {
    case 'release':
      return newestReleases(reader, wanted, looking);
    case 'chunk':
      return newestChunks(reader, wanted, looking);
    case 'entity':
      return entities(reader, wanted, looking);
  }
}

// Whether a filter leaves so few rows that reading all of them may be fastest.
export function isNarrow({ filter, kind, entityType }: WantedVectors): boolean {
  if (kind === 'release') return narrows(RELEASE_FILTERS, filter);
  return narrows(ENTITY_FILTERS, filter) || (kind === 'entity' && entityType !== undefined);
}

async function newestReleases(
  reader: DatabaseReader,
  wanted: WantedVectors,
  { rows, most }: Looking,
): Promise<NewestKeys> {
  const driver = await driverOf(reader, wanted.filter);
  const found: { key: number; at: string }[] = [];
  let complete = true;
  // Each listing has its own range of the index; together they would have to be sorted first.
  for (const listing of listingsOf(wanted.filter)) {
    const { rows: part } = await sql<{ key: number; at: string; passes: number }>`
      SELECT r.seq AS key, r.feed_at AS at, CASE WHEN ${allOf(releaseConditions(wanted))} THEN 1 ELSE 0 END AS passes
      FROM (${lookedAt(wanted, { driver, listing, rows })}) r`.execute(reader.db);
    if (part.length === rows) complete = false;
    found.push(...part.filter(({ passes }) => passes === 1));
  }
  found.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.key - a.key));
  if (found.length > most) complete = false;
  return { keys: found.slice(0, most).map(({ key }) => key), complete };
}

export function lookedAt(
  { filter, now }: WantedVectors,
  { driver, listing, rows }: { driver: FilterCondition[]; listing: number; rows: number },
): RawBuilder<unknown> {
  return sql`SELECT ${COLUMNS} FROM releases r WHERE r.listing = ${listing} AND r.feed_at <= ${now}
    AND ${allOf([...driver, ...windowOf(filter)])} ORDER BY r.feed_at DESC LIMIT ${rows}`;
}

// The columns before the body, which is the last column and is never read here.
const COLUMNS = sql`r.seq, r.feed_at, r.published_at, r.prerelease, r.org_id, r.product_id, r.source_id, r.effective_category, r.type,
  r.breaking, r.importance`;

async function newestChunks(
  { db }: DatabaseReader,
  wanted: WantedVectors,
  { rows, most }: Looking,
): Promise<NewestKeys> {
  const conditions = allOf(sourceConditions(wanted));
  const sources = isNarrow(wanted)
    ? sql`WHERE c.source_id IN (SELECT s.id FROM sources s ${OWNERS} WHERE ${conditions})`
    : sql``;
  const { rows: looked } = await sql<{ key: number; passes: number }>`
    SELECT c.seq AS key, CASE WHEN ${conditions} THEN 1 ELSE 0 END AS passes
    FROM (SELECT c.seq, c.source_id, c.doc_key FROM changelog_chunks c ${sources} ORDER BY c.doc_key DESC LIMIT ${rows}) c
    JOIN sources s ON s.id = c.source_id ${OWNERS}
    ORDER BY c.doc_key DESC`.execute(db);
  const keys = looked.filter(({ passes }) => passes === 1).map(({ key }) => key);
  return { keys: keys.slice(0, most), complete: looked.length < rows && keys.length <= most };
}

// Entities are few, so their filters are checked after they are ranked.
async function entities({ db }: DatabaseReader, wanted: WantedVectors, { most }: Looking): Promise<NewestKeys> {
  if (wanted.entityType !== 'source') return { keys: [], complete: false };
  const { rows } = await sql<{ key: number }>`
    SELECT DISTINCT v.key FROM vectors v JOIN sources s ON s.id = v.ref ${OWNERS}
    WHERE v.kind = 'entity' AND v.deleted = 0 AND ${allOf(sourceConditions(wanted))} LIMIT ${most + 1}`.execute(db);
  return { keys: rows.slice(0, most).map(({ key }) => key), complete: rows.length <= most };
}

// Chooses the database index by which the newest releases of a filter are read.

// Sources with more releases together are not read by source, because enough of their releases are among the newest of all.
const MAX_IN_SOURCES = 20_000;

const INDEXED = RELEASE_FILTERS.flatMap(({ index }) => index ?? []).sort((a, b) => a.rank - b.rank);

// The condition by which an index gives passing releases newest first.
export async function driverOf(reader: DatabaseReader, filter: SearchFilter): Promise<FilterCondition[]> {
  const served = INDEXED.flatMap(({ rank, condition }) => {
    const found = condition(filter, RELEASE_COLUMNS);
    return found ? [{ rank, condition: found }] : [];
  });
  const [best] = served;
  if (best && best.rank < INDEX_RANKS.sources) return [best.condition];
  if (await isFewInSources(reader, filter)) return [sql<boolean>`r.source_id IN (${sourceSet(filter)})`];
  return best ? [best.condition] : [];
}

async function isFewInSources({ db }: DatabaseReader, filter: SearchFilter): Promise<boolean> {
  if (sourceSetConditions(filter).length === 0) return false;
  const { rows } = await sql<{ releases: number | null }>`
    SELECT SUM(f.release_count) AS releases FROM source_figures f WHERE f.source_id IN (${sourceSet(filter)})`.execute(
    db,
  );
  return Number(rows[0]?.releases ?? 0) <= MAX_IN_SOURCES;
}

const SOURCE_SET_COLUMNS: FilterColumns = {
  org_id: sql`g.org_id`,
  product_id: sql`g.product_id`,
  source_id: sql`g.id`,
};

function sourceSetConditions(filter: SearchFilter): FilterCondition[] {
  // A filter that admits nearly everything, such as one that excludes a type, does not select a set of sources.
  const isSet = ENTITY_FILTERS.some((entry) => entry.narrows(filter) && entry.condition(filter, KIND_COLUMNS) !== null);
  const sort = isSet ? sourcesOfType(filter) : null;
  return [
    ...conditionsOf(ENTITY_FILTERS, filter, SOURCE_SET_COLUMNS),
    ...(sort ? [sql<boolean>`g.id IN (${sort})`] : []),
  ];
}

function sourceSet(filter: SearchFilter): RawBuilder<unknown> {
  return sql`SELECT g.id FROM sources g WHERE ${allOf(sourceSetConditions(filter))}`;
}

// Filters as conditions of a query. Aliases: r releases, c chunks, s sources, o orgs, p products.

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
  const sources = sourcesOfType(filter);
  return [
    sql<boolean>`r.feed_at <= ${now}`,
    ...conditionsOf(RELEASE_FILTERS, filter, RELEASE_COLUMNS),
    ...except(RELEASE_COLUMNS, exceptOrgIds),
    ...(sources ? [sql<boolean>`r.source_id IN (${sources})`] : []),
  ];
}

function windowOf(filter: SearchFilter): FilterCondition[] {
  return conditionsOf(RELEASE_FILTERS, filter, WINDOW_COLUMNS);
}

// A query for the sources that a filter of kinds and types admits; null when the filter has neither.
function sourcesOfType(filter: SearchFilter): RawBuilder<unknown> | null {
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
