// One connection for work over whole tables, whose statements may take as long as they need.
import { PostgresDialect } from 'kysely';
import type { Queries } from '../schema/index.ts';
import { kyselyOf } from '../store.ts';
import { createLimitedPool } from './pool.ts';

interface SingleConnection {
  url: string;
  onError?: (error: unknown) => void;
}

export async function withSingleConnection<T>(
  { url, onError = () => {} }: SingleConnection,
  work: (db: Queries) => Promise<T>,
): Promise<T> {
  const { pool } = createLimitedPool({ url, poolSize: 1, statementMs: 0, onError });
  const db = kyselyOf(new PostgresDialect({ pool }));
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
