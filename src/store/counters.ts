import type { CompiledQuery } from 'kysely';
import type { Queries } from './schema/index.ts';

// Counters over all processes, updated in the transaction of what is counted. Returns the new value.
export async function addToCounter(tx: Queries, name: string, amount: number): Promise<number> {
  const row = await raise(tx, name, amount).returning('value').executeTakeFirstOrThrow();
  return row.value;
}

// The statement alone, for the end of a transaction: other writers wait for the row until the commit.
export function counterStatement(tx: Queries, name: string, amount: number): CompiledQuery<unknown> {
  return raise(tx, name, amount).compile();
}

function raise(tx: Queries, name: string, amount: number) {
  return tx
    .insertInto('counters')
    .values({ name, value: amount })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb('counters.value', '+', amount) })),
    );
}

// 0 for a counter that nobody has raised yet.
export async function readCounter(db: Queries, name: string): Promise<number> {
  const row = await db.selectFrom('counters').select('value').where('name', '=', name).executeTakeFirst();
  return Number(row?.value ?? 0);
}
