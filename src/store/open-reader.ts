// A separate read-only connection, for threads beside the main one.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresDialect } from 'kysely';
import type { Dialect } from './dialect.ts';
import { kyselyOf } from './query-builder.ts';
import type { Queries } from './schema/index.ts';

interface OpenReader {
  databaseUrl: string | null;
  dataDir: string;
  onError: (error: unknown) => void;
}

export interface DatabaseReader {
  db: Queries;
  dialect: Dialect;
  close(): Promise<void>;
}

const CONNECTIONS = 2;
// Enough for one page of a read over a whole table.
const STATEMENT_MS = 60_000;

// Only the driver of the engine in use is loaded.
export async function openReader({ databaseUrl, dataDir, onError }: OpenReader): Promise<DatabaseReader> {
  if (databaseUrl) {
    const [{ createLimitedPool }, { postgres }] = await Promise.all([
      import('./postgres/pool.ts'),
      import('./postgres/dialect.ts'),
    ]);
    const { pool } = createLimitedPool({ url: databaseUrl, poolSize: CONNECTIONS, statementMs: STATEMENT_MS, onError });
    const db = kyselyOf(new PostgresDialect({ pool }));
    return { db, dialect: postgres, close: () => db.destroy() };
  }
  const [{ SqliteConnection, sqliteDialect }, { sqlite }] = await Promise.all([
    import('./sqlite/connection.ts'),
    import('./sqlite/dialect.ts'),
  ]);
  const path = join(dataDir, 'registry.db');
  const connection = new SqliteConnection({ path, mode: 'read', sleep: (ms) => sleep(ms) });
  const db = kyselyOf(sqliteDialect(connection));
  return { db, dialect: sqlite, close: () => db.destroy() };
}
