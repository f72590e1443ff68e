// The query builder in its own module: a read-only thread loads neither migrations nor the code of writes.
import { type Driver, Kysely, type Dialect as KyselyDialect, sql } from 'kysely';
import type { Queries, Schema } from './schema/index.ts';

export function kyselyOf(dialect: KyselyDialect): Queries {
  return new Kysely<Schema>({ dialect });
}

// The dialect with another behaviour of its connections.
export function withDriver(dialect: KyselyDialect, change: (driver: Driver) => Driver): KyselyDialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => change(dialect.createDriver()),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

// Ends a statement whose best plan does not depend on its values, such as a short range of an index: a server that plans
// statements may then keep its plan.
export const ONE_PLAN_MARK = '/* one plan */';
export const ONE_PLAN = sql.raw(ONE_PLAN_MARK);
