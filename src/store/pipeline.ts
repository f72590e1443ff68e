// Statements of one transaction that are sent without waiting for the answers in between: a server then answers them in
// one round trip.
import type { CompiledQuery, QueryResult } from 'kysely';
import type { Tx } from './schema/index.ts';

// Work whose statements do not depend on each other. It waits for all of it even when one part fails, so that no
// statement of the rest can reach the connection after the transaction was rolled back.
export async function together<Work extends readonly unknown[]>(
  work: readonly [...Work],
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
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
