// Queries of read threads. A procedure runs where the connection is: on a read thread as one message, elsewhere statement by
// statement.
import { CompiledQuery, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { kyselyOf } from '../query-builder.ts';
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

// Queries over a driver that hands out connections to several callers at a time.
export function manyConnections(driver: Driver): Queries {
  return kyselyOf({
    createAdapter: () => new ManyConnectionsAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  });
}

// The query builder uses one connection at a time for this engine.
class ManyConnectionsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
