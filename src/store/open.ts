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
  now: () => Date;
  onError: (error: unknown) => void;
}

export async function openStore({ databaseUrl, dataDir, poolSize, now, onError }: OpenStore): Promise<Store> {
  if (databaseUrl) return openPostgres({ url: databaseUrl, poolSize, now, onError });
  mkdirSync(dataDir, { recursive: true });
  return openSqlite({ path: join(dataDir, 'registry.db'), now, sleep: (ms) => sleep(ms) });
}
