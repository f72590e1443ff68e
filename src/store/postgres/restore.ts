// Restores a backup into a PostgreSQL database without rows.
import { CompiledQuery, sql } from 'kysely';
import { LineFileError } from '../line-file.ts';
import { migrate } from '../migrate.ts';
import type { Queries } from '../schema/index.ts';
import { tablesOf } from './backup.ts';
import { type BackupHeader, type Cells, readBackup, readHeader, type TableShape } from './backup-file.ts';
import { postgres } from './dialect.ts';
import { withSingleConnection } from './pool.ts';
import { VECTOR_INDEX_PREFIX } from './vector-index-tables.ts';

const ROWS = 500;
const BATCH_CHARACTERS = 4_000_000;

// The migrations of the backup create the tables, which are then filled in one transaction.
export async function restorePostgres({ url, now }: { url: string; now: () => Date }, file: string): Promise<void> {
  const header = await readHeader(file);
  await withSingleConnection({ url }, async (db) => {
    await migrate({ dialect: postgres, writer: db, now }, new Set(header.migrations));
    await db.transaction().execute(async (tx) => {
      await refuseStrangers(tx, header);
      // The migrations have written a few rows themselves, which are deleted first.
      for (const { table } of [...header.tables].reverse()) await sql`DELETE FROM ${sql.table(table)}`.execute(tx);
      await dropVectorIndex(tx);
      await fill(tx, file);
      for (const [name, { last, called }] of Object.entries(header.sequences)) {
        await sql`SELECT setval(${name}::regclass, ${last}::bigint, ${called}::boolean)`.execute(tx);
      }
    });
    await sql`ANALYZE`.execute(db);
  });
}

// It was made from other vectors, and is made anew.
async function dropVectorIndex(tx: Queries): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables
    WHERE schemaname = current_schema() AND starts_with(tablename::text, ${VECTOR_INDEX_PREFIX})`.execute(tx);
  for (const { name } of rows) await sql`DROP TABLE ${sql.table(name)}`.execute(tx);
}

// The migrations have made the tables, so that a table, a column or a sequence that they have not made is none of ours.
async function refuseStrangers(tx: Queries, { tables, sequences }: BackupHeader): Promise<void> {
  const own = new Map((await tablesOf(tx)).map(({ table, columns }) => [table, columns]));
  for (const { table, columns } of tables) {
    const known = own.get(table);
    const isOwn = columns.every(({ name, type }) => known?.some((one) => one.name === name && one.type === type));
    if (!known || !isOwn) throw new LineFileError(`the schema is not that of a registry: table ${table}`);
  }
  const { rows } = await sql<{ name: string }>`
    SELECT sequencename AS name FROM pg_sequences WHERE schemaname = current_schema()`.execute(tx);
  const stranger = Object.keys(sequences).find((name) => !rows.some((row) => row.name === name));
  if (stranger !== undefined) throw new LineFileError(`the schema is not that of a registry: sequence ${stranger}`);
}

async function fill(tx: Queries, file: string): Promise<void> {
  let shape: TableShape | null = null;
  let rows: Cells[] = [];
  let characters = 0;
  const flush = async () => {
    if (shape && rows.length > 0) await insertRows(tx, shape, rows);
    rows = [];
    characters = 0;
  };
  await readBackup(file, async (table, row) => {
    if (shape !== table || rows.length >= ROWS || characters >= BATCH_CHARACTERS) await flush();
    shape = table;
    rows.push(row);
    for (const cell of row) characters += cell?.length ?? 0;
  });
  await flush();
}

async function insertRows(tx: Queries, { table, columns }: TableShape, rows: readonly Cells[]): Promise<void> {
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map(({ name, type }) => `"${name}"::${type}`).join(', ');
  const lists = columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
  const text = `INSERT INTO "${table}" (${names}) SELECT ${values} FROM unnest(${lists}) AS given (${names})`;
  const cells = columns.map((_, index) => rows.map((row) => row[index] ?? null));
  await tx.executeQuery(CompiledQuery.raw(text, cells));
}
