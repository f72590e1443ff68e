// Rows of some keys. The statement is the same whatever the keys are, so each is built once for each database: a search
// asks many of them, and building one costs as much as many of its rows.
import type { Compilable, CompiledQuery, RawBuilder } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Queries } from './schema/index.ts';

type RowsByKeys<Row> = (db: Queries, dialect: Dialect, keys: readonly number[]) => Promise<Row[]>;

// The keys must be the one thing that differs: every other value stands in the statement.
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
