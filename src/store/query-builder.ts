// The query builder on its own: a thread that only reads loads neither migrations nor what writes need.
import { Kysely } from 'kysely';
import type { Queries, Schema } from './schema/index.ts';

export function kyselyOf(dialect: ConstructorParameters<typeof Kysely<Schema>>[0]['dialect']): Queries {
  return new Kysely<Schema>({ dialect });
}
