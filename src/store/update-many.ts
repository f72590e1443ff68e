// Updates many rows of one table, each with its own values, in few statements whose texts are built once.
import { CompiledQuery, sql } from 'kysely';
import type { Queries, Schema } from './schema/index.ts';

export interface RowChange<Row> {
  // Columns that identify the row, and values that it must still have.
  where: Partial<Row> & { id: string };
  set: Partial<Row>;
}

const CHUNKS = [64, 16, 4, 1] as const;

const texts = new WeakMap<object, Map<string, string>>();

type ColumnValue = string | number | null;

// All changes have the same columns, and a numeric column has a number in the first of them. Returns the ids of the
// updated rows.
export async function updateMany<T extends keyof Schema>(
  tx: Queries,
  table: T,
  changes: readonly RowChange<Schema[T]>[],
): Promise<Set<string>> {
  const changed = new Set<string>();
  const [first] = changes;
  if (!first) return changed;
  const shape = { where: columnsOf(first.where), set: columnsOf(first.set) };
  let start = 0;
  for (const size of CHUNKS) {
    for (; changes.length - start >= size; start += size) {
      const values = changes
        .slice(start, start + size)
        .flatMap(({ where, set }) => [
          ...shape.where.map(({ name }) => columnValue(where, name)),
          ...shape.set.map(({ name }) => columnValue(set, name)),
        ]);
      const { rows } = await tx.executeQuery<{ id: string }>(
        CompiledQuery.raw(statement(tx, table, shape, size), values),
      );
      for (const row of rows) changed.add(row.id);
    }
  }
  return changed;
}

function columnValue(values: object, name: string): ColumnValue {
  return Reflect.get(values, name);
}

interface UpdatedColumn {
  name: string;
  isNumber: boolean;
}

type UpdateShape = Record<'where' | 'set', UpdatedColumn[]>;

function columnsOf(values: object): UpdatedColumn[] {
  return Object.entries(values).map(([name, value]) => ({ name, isNumber: typeof value === 'number' }));
}

function statement(tx: Queries, table: string, { where, set }: UpdateShape, size: number): string {
  const engine = tx.getExecutor().adapter.constructor;
  const known = texts.get(engine) ?? new Map<string, string>();
  texts.set(engine, known);
  const key = JSON.stringify([size, table, where, set]);
  const ready = known.get(key);
  if (ready) return ready;
  const all = [...where, ...set];
  const row = sql`(${sql.join(all.map(() => sql`${0}`))})`;
  // Both engines name the columns of a VALUES list `column1`, `column2` and so on. Its values are texts unless they are
  // cast.
  const value = (index: number) => {
    const column = sql.ref(`v.column${index + 1}`);
    return all[index]?.isNumber ? sql`CAST(${column} AS bigint)` : column;
  };
  const conditions = where.map(({ name }, index) => sql`${sql.ref(`${table}.${name}`)} = ${value(index)}`);
  const settings = set.map(({ name }, index) => sql`${sql.ref(name)} = ${value(where.length + index)}`);
  const text = sql`
    UPDATE ${sql.table(table)} SET ${sql.join(settings)}
    FROM (VALUES ${sql.join(Array.from({ length: size }, () => row))}) AS v
    WHERE ${sql.join(conditions, sql` AND `)} RETURNING ${sql.ref(`${table}.id`)}`.compile(tx).sql;
  known.set(key, text);
  return text;
}
