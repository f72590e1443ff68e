// Runs one small query for many keys in few statements, whose texts are built once. "The first few of each" has no form
// that both engines answer from an index.
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Queries } from './schema/index.ts';

// Few sizes mean few prepared statements, whatever the number of keys.
const CHUNKS = [32, 16, 8, 4, 2, 1] as const;

const texts = new WeakMap<object, Map<string, string>>();

export interface PerKeyQuery {
  // Tells the query from others; its text must not depend on anything else.
  name: string;
  // Uses the key once.
  of(key: RawBuilder<unknown>): RawBuilder<unknown>;
}

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
  const engine = tx.getExecutor().adapter.constructor;
  const known = texts.get(engine) ?? new Map<string, string>();
  texts.set(engine, known);
  const key = `${size} ${query.name}`;
  const ready = known.get(key);
  if (ready) return ready;
  const parts = Array.from(
    { length: size },
    (_, index) => sql`SELECT * FROM (${query.of(sql`${''}`)}) AS ${sql.ref(`k${index}`)}`,
  );
  const text = sql`${sql.join(parts, sql` UNION ALL `)}`.compile(tx).sql;
  known.set(key, text);
  return text;
}
