// The query builder in its own module: a read-only thread loads neither migrations nor the code of writes.
import { Kysely, sql } from 'kysely';
import type { Queries, Schema } from './schema/index.ts';

export function kyselyOf(dialect: ConstructorParameters<typeof Kysely<Schema>>[0]['dialect']): Queries {
  return new Kysely<Schema>({ dialect });
}

// Ends a statement whose best plan does not depend on its values, such as a short range of an index: a server that plans
// statements may then keep its plan.
export const ONE_PLAN_MARK = '/* one plan */';
export const ONE_PLAN = sql.raw(ONE_PLAN_MARK);
