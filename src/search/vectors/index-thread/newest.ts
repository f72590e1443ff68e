// Finds the newest keys that pass a filter by reading a suitable index. The number of rows is limited: a filter that few
// releases pass has an index of its own, and one that many pass is satisfied soon.
import { type RawBuilder, sql } from 'kysely';
import type { DatabaseReader } from '../../../store/open-reader.ts';
import { allOf, type FilterCondition, narrows } from '../../filters/entry.ts';
import { ENTITY_FILTERS, RELEASE_FILTERS } from '../../filters/table.ts';
import { listingsOf, OWNERS, releaseConditions, sourceConditions, type WantedVectors, windowOf } from './conditions.ts';
import { driverOf } from './driving-index.ts';

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
