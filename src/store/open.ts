import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres } from './postgres/open.ts';
import { openSqlite } from './sqlite/open.ts';
import type { Store } from './store.ts';

export interface OpenStore {
  databaseUrl: string | null;
  dataDir: string;
  poolSize: number;
  // How long a statement may take on a database server; 0: as long as it likes.
  statementMs: number;
  now: () => Date;
  onError: (error: unknown) => void;
}

export async function openStore(options: OpenStore): Promise<Store> {
  const { databaseUrl, dataDir, poolSize, statementMs, now, onError } = options;
  if (databaseUrl) return openPostgres({ url: databaseUrl, poolSize, statementMs, now, onError });
  mkdirSync(dataDir, { recursive: true });
  return openSqlite({ path: join(dataDir, 'registry.db'), now, sleep: (ms) => sleep(ms) });
}
