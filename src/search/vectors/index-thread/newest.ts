// The newest keys that pass a filter, read along an index that fits it. Only so many rows are looked at: a filter that
// few releases pass has an index of its own here, and one that many pass is soon satisfied.
import { type RawBuilder, sql } from 'kysely';
import type { SearchFilter } from '../../../domain/retrieval.ts';
import type { DatabaseReader } from '../../../store/open-reader.ts';
import { allOf, conditionsOf, type FilterColumns, type FilterCondition, narrows } from '../../filters/entry.ts';
import { ENTITY_FILTERS, RELEASE_FILTERS } from '../../filters/table.ts';
import {
  listingsOf,
  OWNERS,
  releaseConditions,
  sourceConditions,
  sourcesOfSort,
  type WantedVectors,
  windowOf,
} from './conditions.ts';

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

// Sources that have more releases together are not read by source: the newest of all releases hold enough of theirs.
const MOST_IN_SOURCES = 20_000;

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

// Whether a filter leaves so little that reading all of it may be the quickest.
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

// The body stands last in the row and is never read here.
const COLUMNS = sql`r.seq, r.feed_at, r.published_at, r.prerelease, r.org_id, r.product_id, r.source_id, r.effective_category, r.type,
  r.breaking, r.importance`;

const OWNER_COLUMNS = {
  source_id: sql`r.source_id`,
  product_id: sql`r.product_id`,
  org_id: sql`r.org_id`,
} as const;

// One condition that an index serves, newest first.
export async function driverOf(reader: DatabaseReader, filter: SearchFilter): Promise<FilterCondition[]> {
  const { sourceIds, productIds, orgIds, owners, categories, breaking, minImportance = 0 } = filter;
  const of = (column: keyof typeof OWNER_COLUMNS, [id]: readonly string[]) => [
    sql<boolean>`${OWNER_COLUMNS[column]} = ${id}`,
  ];
  if (sourceIds?.length === 1) return of('source_id', sourceIds);
  if (productIds?.length === 1) return of('product_id', productIds);
  if (orgIds?.length === 1) return of('org_id', orgIds);
  const [owner] = owners ?? [];
  if (owner && owners?.length === 1) return of(owner.column, [owner.id]);
  if (await isFewInSources(reader, filter)) return [sql<boolean>`r.source_id IN (${sourceSet(filter)})`];
  if (categories?.length === 1) return [sql<boolean>`r.effective_category = ${categories[0]}`];
  if (minImportance >= 4) return [sql<boolean>`r.importance >= 4`];
  if (isNotable(breaking)) return [sql<boolean>`r.breaking IN ('major', 'minor')`];
  return [];
}

function isNotable(breaking: readonly string[] | undefined): boolean {
  return breaking?.every((verdict) => verdict === 'major' || verdict === 'minor') ?? false;
}

async function isFewInSources({ db }: DatabaseReader, filter: SearchFilter): Promise<boolean> {
  if (sourceSetConditions(filter).length === 0) return false;
  const { rows } = await sql<{ releases: number | null }>`
    SELECT SUM(f.release_count) AS releases FROM source_figures f WHERE f.source_id IN (${sourceSet(filter)})`.execute(
    db,
  );
  return Number(rows[0]?.releases ?? 0) <= MOST_IN_SOURCES;
}

const SOURCE_SET_COLUMNS: FilterColumns = {
  org_id: sql`g.org_id`,
  product_id: sql`g.product_id`,
  source_id: sql`g.id`,
};

function sourceSetConditions(filter: SearchFilter): FilterCondition[] {
  // Types that are left out leave nearly everything.
  const sort = filter.kinds || filter.sourceTypes ? sourcesOfSort(filter) : null;
  return [
    ...conditionsOf(ENTITY_FILTERS, filter, SOURCE_SET_COLUMNS),
    ...(sort ? [sql<boolean>`g.id IN (${sort})`] : []),
  ];
}

function sourceSet(filter: SearchFilter): RawBuilder<unknown> {
  return sql`SELECT g.id FROM sources g WHERE ${allOf(sourceSetConditions(filter))}`;
}

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

// Entities are few; whether each passes is asked once they are ranked.
async function entities({ db }: DatabaseReader, wanted: WantedVectors, { most }: Looking): Promise<NewestKeys> {
  if (wanted.entityType !== 'source') return { keys: [], complete: false };
  const { rows } = await sql<{ key: number }>`
    SELECT DISTINCT v.key FROM vectors v JOIN sources s ON s.id = v.ref ${OWNERS}
    WHERE v.kind = 'entity' AND v.deleted = 0 AND ${allOf(sourceConditions(wanted))} LIMIT ${most + 1}`.execute(db);
  return { keys: rows.slice(0, most).map(({ key }) => key), complete: rows.length <= most };
}
