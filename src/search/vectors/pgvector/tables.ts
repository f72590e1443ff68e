// The tables of the index in the database: one of vectors for each kind of a space, and one that tells how far each of them
// is. What a table has and how far it is change in one transaction.
import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { VectorKind } from '../../../ports.ts';
import { VECTOR_INDEX_PREFIX } from '../../../store/postgres/vector-index-tables.ts';
import type { Queries } from '../../../store/schema/index.ts';

export interface TableOf {
  space: string;
  kind: VectorKind;
}

export interface IndexTable extends TableOf {
  name: string;
  // The last write to `vectors` that was applied.
  seq: number;
  vectors: number;
  // False until everything was applied for the first time and can be searched fast.
  built: boolean;
}

const PROGRESS = sql.table(VECTOR_INDEX_PREFIX);

export function tableName({ space, kind }: TableOf): string {
  return `${VECTOR_INDEX_PREFIX}_${kind}_${hash('sha256', space, 'hex').slice(0, 12)}`;
}

const COLUMNS = sql`name, space, kind, seq, vectors, built`;

// A table that an operator has dropped does not count.
export async function readTables(db: Queries): Promise<IndexTable[]> {
  const { rows } = await sql<{ made: boolean }>`
    SELECT to_regclass(${VECTOR_INDEX_PREFIX}) IS NOT NULL AS made`.execute(db);
  if (!rows[0]?.made) return [];
  const read = await sql<IndexTable>`
    SELECT ${COLUMNS} FROM ${PROGRESS} WHERE to_regclass(name) IS NOT NULL`.execute(db);
  return read.rows;
}

export async function readTable(db: Queries, table: TableOf): Promise<IndexTable | null> {
  const { rows } = await sql<IndexTable>`
    SELECT ${COLUMNS} FROM ${PROGRESS} WHERE name = ${tableName(table)} AND to_regclass(name) IS NOT NULL`.execute(db);
  return rows[0] ?? null;
}

export async function createTable(tx: Queries, table: TableOf, dims: number): Promise<void> {
  const name = tableName(table);
  await sql`CREATE TABLE IF NOT EXISTS ${PROGRESS} (name text PRIMARY KEY, space text NOT NULL, kind text NOT NULL,
    seq bigint NOT NULL, vectors bigint NOT NULL, built boolean NOT NULL)`.execute(tx);
  await sql`DROP TABLE IF EXISTS ${sql.table(name)}`.execute(tx);
  await sql`CREATE TABLE ${sql.table(name)} (key bigint PRIMARY KEY, embedding halfvec(${sql.lit(dims)}) NOT NULL)`.execute(
    tx,
  );
  await sql`INSERT INTO ${PROGRESS} (name, space, kind, seq, vectors, built)
    VALUES (${name}, ${table.space}, ${table.kind}, 0, 0, false)
    ON CONFLICT (name) DO UPDATE SET seq = 0, vectors = 0, built = false`.execute(tx);
}

export async function dropTable(tx: Queries, name: string): Promise<void> {
  await sql`DROP TABLE IF EXISTS ${sql.table(name)}`.execute(tx);
  await sql`DELETE FROM ${PROGRESS} WHERE name = ${name}`.execute(tx);
}

export async function writeProgress(
  tx: Queries,
  name: string,
  progress: { seq: number; added: number },
): Promise<void> {
  await sql`UPDATE ${PROGRESS} SET seq = ${progress.seq}, vectors = vectors + ${progress.added}
    WHERE name = ${name}`.execute(tx);
}

// Entities are few and all of them are compared. The server may have a limit of its own for statements.
export async function buildIndex(tx: Queries, { name, kind }: IndexTable): Promise<void> {
  await sql`SET LOCAL statement_timeout = 0`.execute(tx);
  if (kind !== 'entity') {
    await sql`CREATE INDEX IF NOT EXISTS ${sql.ref(`${name}_nearest`)} ON ${sql.table(name)}
      USING hnsw (embedding halfvec_cosine_ops) WITH (m = 16, ef_construction = 128)`.execute(tx);
  }
  await sql`ANALYZE ${sql.table(name)}`.execute(tx);
  await sql`UPDATE ${PROGRESS} SET built = true WHERE name = ${name}`.execute(tx);
}

// One process at a time changes tables. False while another one does.
export async function lockTables(tx: Queries): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${VECTOR_INDEX_PREFIX}, 0)) AS locked`.execute(tx);
  return rows[0]?.locked === true;
}

// As PostgreSQL reads a vector. The bytes are stored as they are: their scale does not change an angle, and `halfvec` holds
// them exactly.
export function vectorText(values: Float32Array | Int8Array): string {
  return `[${values.join(',')}]`;
}

export function asVector(values: Float32Array): RawBuilder<unknown> {
  return sql`${vectorText(values)}::halfvec`;
}
