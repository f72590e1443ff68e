import { type RawBuilder, sql } from 'kysely';
import type { Dialect, Sequence } from '../dialect.ts';
import type { Queries } from '../schema.ts';
import { deleteFullText, FULL_TEXT_DDL, matchFullText, mergeFullText, writeFullText } from './full-text.ts';

export const postgres: Dialect = {
  name: 'postgres',
  clustered: '',
  types: { text: 'text COLLATE "C"', int: 'bigint', real: 'double precision', blob: 'bytea' },
  lock,
  skipLocked: sql`FOR UPDATE SKIP LOCKED`,
  epochSeconds: (column) => sql<number>`EXTRACT(EPOCH FROM ${sql.ref(column)}::timestamptz)::double precision`,
  nextNumbers,
  fullTextDdl: () => [
    'CREATE SEQUENCE IF NOT EXISTS release_seq',
    'CREATE SEQUENCE IF NOT EXISTS chunk_seq',
    ...FULL_TEXT_DDL,
  ],
  writeFullText,
  deleteFullText,
  matchFullText,
  mergeFullText,
  explain,
  isUniqueViolation: (error) => (error as { code?: string } | null)?.code === '23505',
  // Serialisation failures and deadlocks go away when the transaction runs again.
  isBusy: (error) => ['40001', '40P01', '55P03'].includes((error as { code?: string } | null)?.code ?? ''),
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
