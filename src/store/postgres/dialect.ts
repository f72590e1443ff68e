import { type RawBuilder, sql } from 'kysely';
import { errorCode } from '../../domain/records.ts';
import type { Dialect, Sequence } from '../dialect.ts';
import type { Queries } from '../schema.ts';
import { countDocuments, findCandidates } from './candidates.ts';
import {
  deleteFullText,
  fullTextDdl,
  matchFullText,
  mergeFullText,
  rankingDdl,
  walkingDdl,
  writeFullText,
} from './full-text.ts';
import { isPostgresBusy, postgresOutage } from './outage.ts';

export const postgres: Dialect = {
  name: 'postgres',
  clustered: '',
  types: { text: 'text COLLATE "C"', int: 'bigint', real: 'double precision', blob: 'bytea' },
  lock,
  skipLocked: sql`FOR UPDATE SKIP LOCKED`,
  forUpdate: sql`FOR UPDATE`,
  epochSeconds: (column) => sql<number>`EXTRACT(EPOCH FROM ${sql.ref(column)}::timestamptz)::double precision`,
  amongKeys: (column, keys) => sql<boolean>`${sql.ref(column)} = ANY(${[...keys]}::bigint[])`,
  keyList: (keys) => [...keys],
  textSlice: (column, offset, length) => sql<string>`convert_from(
    substring(convert_to(${sql.ref(column)}, 'UTF8') FROM (${offset} + 1)::integer FOR (${length})::integer), 'UTF8')`,
  nextNumbers,
  fullTextDdl,
  rankingDdl,
  walkingDdl,
  // The server keeps statistics of its own.
  planStatistics: () => [],
  writeFullText,
  deleteFullText,
  matchFullText,
  findCandidates,
  countDocuments,
  mergeFullText,
  explain,
  isUniqueViolation: (error) => errorCode(error) === '23505',
  isBusy: isPostgresBusy,
  outageOf: postgresOutage,
};

async function lock(tx: Queries, name: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

async function nextNumbers(tx: Queries, sequence: Sequence, count: number): Promise<number[]> {
  const { rows } = await sql<{ value: number }>`
    SELECT nextval(${sql.lit(sequence)}::regclass) AS value FROM generate_series(1, ${count}::int)`.execute(tx);
  return rows.map((row) => row.value);
}

async function explain(db: Queries, query: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`EXPLAIN ${query}`.execute(db);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
