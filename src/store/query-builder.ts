// The query builder in its own module: a read-only thread loads neither migrations nor the code of writes.
import { Kysely } from 'kysely';
import type { Queries, Schema } from './schema/index.ts';

export function kyselyOf(dialect: ConstructorParameters<typeof Kysely<Schema>>[0]['dialect']): Queries {
  return new Kysely<Schema>({ dialect });
}
