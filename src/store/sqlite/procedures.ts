// Runs a procedure where the connection is: on a read thread as one message, elsewhere statement by statement.
import { CompiledQuery } from 'kysely';
import type { Queries } from '../schema/index.ts';
import type { RunStatement } from './match.ts';
import { PROCEDURES, type ProcedureName, type ProcedureQuery, type ProcedureResult } from './procedure-table.ts';

type CallProcedure = (name: ProcedureName, query: unknown) => Promise<unknown>;

const threads = new WeakMap<Queries, CallProcedure>();

// From now on procedures of these queries run on threads.
export function runOnThreads(queries: Queries, call: CallProcedure): void {
  threads.set(queries, call);
}

export function runProcedure<Name extends ProcedureName>(
  db: Queries,
  name: Name,
  query: ProcedureQuery<Name>,
): Promise<ProcedureResult<Name>> {
  const call = threads.get(db);
  if (call) return call(name, query) as Promise<ProcedureResult<Name>>;
  const procedure = PROCEDURES[name] as (run: RunStatement, query: unknown) => Promise<ProcedureResult<Name>>;
  return procedure(async (sql, parameters) => (await db.executeQuery(compiled(sql, parameters))).rows as never, query);
}

function compiled(sql: string, parameters: readonly unknown[]): CompiledQuery {
  return CompiledQuery.raw(sql, [...parameters]);
}
