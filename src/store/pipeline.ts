// Fewer round trips and less work for each: statements that are sent without waiting for the answers in between, and queries by
// many keys whose text is built once.
import { type Compilable, CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Queries, Tx } from './schema/index.ts';

// Work whose statements do not depend on each other. It waits for all of it even when one part fails, so that no
// statement of the rest can reach the connection after the transaction was rolled back.
export async function together<Work extends readonly unknown[]>(
  work: readonly [...Work],
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  const settled = await Promise.allSettled(work);
  const values = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  return values as { -readonly [Index in keyof Work]: Awaited<Work[Index]> };
}

// The statements run in this order. Returns the rows of each.
export async function inOrder(tx: Tx, statements: readonly CompiledQuery<unknown>[]): Promise<unknown[][]> {
  const results = await tx
    .getExecutor()
    .provideConnection((connection) =>
      together(statements.map((statement): Promise<QueryResult<unknown>> => connection.executeQuery(statement))),
    );
  return results.map(({ rows }) => rows);
}

const held = new WeakMap<Tx, CompiledQuery<unknown>[]>();

// Leaves statements to the end of the transaction, after everything that has to wait for answers: their locks are then
// held only while the server works. Nobody in the transaction may need their effects before; see `sendHeld`.
export function holdToEnd(tx: Tx, statements: readonly CompiledQuery<unknown>[]): void {
  const waiting = held.get(tx);
  if (waiting) waiting.push(...statements);
  else held.set(tx, [...statements]);
}

// Sends what was left to the end, for those who need its effects, and at the end.
export async function sendHeld(tx: Tx): Promise<void> {
  const statements = held.get(tx);
  held.delete(tx);
  if (statements) await inOrder(tx, statements);
}

// The statements of queries by keys do not depend on the keys and are built once: a search runs many of them, and building
// one costs as much as many of its rows.

type RowsByKeys<Row> = (db: Queries, dialect: Dialect, keys: readonly number[]) => Promise<Row[]>;

// Only the keys may differ: every other value is part of the statement.
export function rowsByKeys<Row>(
  build: (db: Queries, among: (column: string) => RawBuilder<boolean>) => Compilable<Row>,
): RowsByKeys<Row> {
  const built = new WeakMap<Queries, CompiledQuery<Row>>();
  return async (db, dialect, keys) => {
    if (keys.length === 0) return [];
    const statement = built.get(db) ?? build(db, (column) => dialect.amongKeys(column, [])).compile();
    if (statement.parameters.length !== 1) throw new Error('a statement by keys takes nothing but keys');
    built.set(db, statement);
    const { rows } = await db.executeQuery<Row>({ ...statement, parameters: [dialect.keyList(keys)] });
    return rows;
  };
}

// Few sizes mean few prepared statements, whatever the number of keys.
const CHUNKS = [32, 16, 8, 4, 2, 1] as const;

const texts = new WeakMap<object, Map<string, string>>();

export interface PerKeyQuery {
  // Identifies the query; its text must not depend on anything else.
  name: string;
  // Uses the key once.
  of(key: RawBuilder<unknown>): RawBuilder<unknown>;
}

// Runs one small query per key in few statements. "The first few of each" has no other form that both engines answer
// from an index.
export async function forEachKey<Row>(tx: Queries, query: PerKeyQuery, keys: readonly string[]): Promise<Row[]> {
  const found: Row[] = [];
  let start = 0;
  for (const size of CHUNKS) {
    for (; keys.length - start >= size; start += size) {
      const chunk = keys.slice(start, start + size);
      const { rows } = await tx.executeQuery<Row>(CompiledQuery.raw(statement(tx, query, size), chunk));
      for (const row of rows) found.push(row);
    }
  }
  return found;
}

function statement(tx: Queries, query: PerKeyQuery, size: number): string {
  return textOf(tx, `${size} ${query.name}`, () => {
    const parts = Array.from(
      { length: size },
      (_, index) => sql`SELECT * FROM (${query.of(sql`${''}`)}) AS ${sql.ref(`k${index}`)}`,
    );
    return sql`${sql.join(parts, sql` UNION ALL `)}`;
  });
}

// A query whose text depends on a few facts alone, which `name` tells; its parameters come in the order of the text.
export async function runNamed<Row>(
  db: Queries,
  { name, build, parameters }: { name: string; build: () => RawBuilder<unknown>; parameters: readonly unknown[] },
): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(textOf(db, name, build), [...parameters]));
  return rows;
}

function textOf(db: Queries, name: string, build: () => RawBuilder<unknown>): string {
  const engine = db.getExecutor().adapter.constructor;
  const known = texts.get(engine) ?? new Map<string, string>();
  texts.set(engine, known);
  const ready = known.get(name) ?? build().compile(db).sql;
  known.set(name, ready);
  return ready;
}
