// Statements of one transaction that are sent without waiting for the answers in between: a server then answers them in
// one round trip.
import type { CompiledQuery, QueryResult } from 'kysely';
import type { Tx } from './schema/index.ts';

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
