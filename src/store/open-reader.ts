// A connection of its own that only reads, for threads beside the one that answers requests.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresDialect } from 'kysely';
import type { Dialect } from './dialect.ts';
import { postgres } from './postgres/dialect.ts';
import { createLimitedPool } from './postgres/pool.ts';
import type { Queries } from './schema/index.ts';
import { SqliteConnection } from './sqlite/connection.ts';
import { sqlite } from './sqlite/dialect.ts';
import { sqliteDialect } from './sqlite/driver.ts';
import { kyselyOf } from './store.ts';

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

export function openReader({ databaseUrl, dataDir, onError }: OpenReader): DatabaseReader {
  if (databaseUrl) {
    const { pool } = createLimitedPool({ url: databaseUrl, poolSize: CONNECTIONS, statementMs: STATEMENT_MS, onError });
    const db = kyselyOf(new PostgresDialect({ pool }));
    return { db, dialect: postgres, close: () => db.destroy() };
  }
  const path = join(dataDir, 'registry.db');
  const connection = new SqliteConnection({ path, mode: 'read', sleep: (ms) => sleep(ms) });
  const db = kyselyOf(sqliteDialect(connection));
  return { db, dialect: sqlite, close: () => db.destroy() };
}
