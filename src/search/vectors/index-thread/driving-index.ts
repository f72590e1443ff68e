// Chooses the database index by which the newest releases of a filter are read.
import { type RawBuilder, sql } from 'kysely';
import type { SearchFilter } from '../../../domain/retrieval/retrievers.ts';
import type { DatabaseReader } from '../../../store/open-reader.ts';
import { KIND_COLUMNS, RELEASE_COLUMNS } from '../../filters/columns.ts';
import { allOf, conditionsOf, type FilterColumns, type FilterCondition, INDEX_RANKS } from '../../filters/entry.ts';
import { ENTITY_FILTERS, RELEASE_FILTERS } from '../../filters/table.ts';
import { sourcesOfSort } from './conditions.ts';

// Sources with more releases together are not read by source, because enough of their releases are among the newest of all.
const MOST_IN_SOURCES = 20_000;

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
  return Number(rows[0]?.releases ?? 0) <= MOST_IN_SOURCES;
}

const SOURCE_SET_COLUMNS: FilterColumns = {
  org_id: sql`g.org_id`,
  product_id: sql`g.product_id`,
  source_id: sql`g.id`,
};

function sourceSetConditions(filter: SearchFilter): FilterCondition[] {
  // A filter that admits nearly everything, such as one that excludes a type, does not select a set of sources.
  const isSet = ENTITY_FILTERS.some((entry) => entry.narrows(filter) && entry.condition(filter, KIND_COLUMNS) !== null);
  const sort = isSet ? sourcesOfSort(filter) : null;
  return [
    ...conditionsOf(ENTITY_FILTERS, filter, SOURCE_SET_COLUMNS),
    ...(sort ? [sql<boolean>`g.id IN (${sort})`] : []),
  ];
}

function sourceSet(filter: SearchFilter): RawBuilder<unknown> {
  return sql`SELECT g.id FROM sources g WHERE ${allOf(sourceSetConditions(filter))}`;
}
