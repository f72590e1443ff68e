// Inserts many rows of one shape. The statement of each chunk size is compiled once and then only gets new values:
// building it for every batch costs more than the database's own work.
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { keysOf } from '../domain/records.ts';
import { endLongTurn } from '../threads/turns.ts';
import { together } from './pipeline.ts';
import type { Queries, Schema } from './schema/index.ts';

// Few sizes mean few prepared statements, whatever the number of rows; a short rest is one statement all the same,
// because most writes are of a few rows.
const CHUNKS = [64, 16] as const;

// So many statements are sent before their answers are awaited: a batch of releases is one round trip.
const AT_ONCE = 16;

function chunkSize(left: number): number {
  return CHUNKS.find((size) => left >= size) ?? left;
}

const texts = new WeakMap<object, Map<string, string>>();

export async function insertMany<T extends keyof Schema>(
  tx: Queries,
  table: T,
  rows: readonly Schema[T][],
): Promise<void> {
  await insertRows(tx, { table, rows, ignoreTaken: false });
}

// Rows whose key exists are ignored.
export async function insertMissing<T extends keyof Schema>(
  tx: Queries,
  table: T,
  rows: readonly Schema[T][],
): Promise<void> {
  await insertRows(tx, { table, rows, ignoreTaken: true });
}

async function insertRows<T extends keyof Schema>(
  tx: Queries,
  { table, rows, ignoreTaken }: { table: T; rows: readonly Schema[T][]; ignoreTaken: boolean },
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = keysOf(first);
  const end = ignoreTaken ? ' ON CONFLICT DO NOTHING' : '';
  // Outside of a transaction each would take a connection of its own.
  const atOnce = tx.isTransaction ? AT_ONCE : 1;
  let sent: Promise<unknown>[] = [];
  for (const chunk of chunksOf(rows)) {
    // Making and sending the rows of a file of megabytes takes several turns.
    await endLongTurn();
    const values = chunk.map((row) => columns.map((column) => row[column]));
    const answer = tx.executeQuery(insertStatement(tx, { table, columns, rows: values, end }));
    // It may fail between two turns, when nobody awaits it yet.
    answer.catch(() => {});
    sent.push(answer);
    if (sent.length < atOnce) continue;
    await together(sent);
    sent = [];
  }
  await together(sent);
}

interface InsertedRows {
  table: string;
  columns: readonly string[];
  // The parameters of each row.
  rows: readonly (readonly unknown[])[];
  // One row of the statement, when its parameters are not its columns in their order; always the same for a table.
  values?: RawBuilder<unknown>;
  end?: string;
}

// The statements of an insert, one a chunk.
export function insertStatements(tx: Queries, inserted: InsertedRows): CompiledQuery<unknown>[] {
  return [...chunksOf(inserted.rows)].map((rows) => insertStatement(tx, { ...inserted, rows }));
}

function* chunksOf<R>(rows: readonly R[]): Generator<readonly R[]> {
  for (let start = 0; start < rows.length; ) {
    const size = chunkSize(rows.length - start);
    yield rows.slice(start, start + size);
    start += size;
  }
}

function insertStatement(tx: Queries, inserted: InsertedRows): CompiledQuery<unknown> {
  const { rows, end = '' } = inserted;
  return CompiledQuery.raw(statementText(tx, inserted) + end, rows.flat());
}

// Kysely writes the text once per engine, so that placeholders and quotes are the engine's own.
function statementText(tx: Queries, { table, columns, rows: { length: size }, values }: InsertedRows): string {
  const engine = tx.getExecutor().adapter.constructor;
  const known = texts.get(engine) ?? new Map<string, string>();
  texts.set(engine, known);
  const key = `${size} ${values ? 'own values' : ''} ${table} ${columns.join(' ')}`;
  const ready = known.get(key);
  if (ready) return ready;
  const row = sql`(${values ?? sql.join(columns.map(() => 0))})`;
  const rows = Array.from({ length: size }, () => row);
  const names = columns.map((column) => sql.ref(column));
  const text = sql`INSERT INTO ${sql.table(table)} (${sql.join(names)}) VALUES ${sql.join(rows)}`.compile(tx).sql;
  known.set(key, text);
  return text;
}
