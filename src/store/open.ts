import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Narrowed, prepareDataFolder } from './data-folder.ts';
import { openPostgres } from './postgres/open.ts';
import { openSqlite } from './sqlite/open.ts';
import type { Store } from './store.ts';

interface OpenStore {
  databaseUrl: string | null;
  dataDir: string;
  poolSize: number;
  // How long a statement may take on a database server; 0: as long as it likes.
  statementMs: number;
  now: () => Date;
  onError: (error: unknown) => void;
  // Called for each file that others could read until now.
  onNarrowed?: (narrowed: Narrowed) => void;
}

export const DATABASE_FILE = 'registry.db';

export async function openStore(options: OpenStore): Promise<Store> {
  const { databaseUrl, dataDir, poolSize, statementMs, now, onError, onNarrowed } = options;
  if (databaseUrl) return openPostgres({ url: databaseUrl, poolSize, statementMs, now, onError });
  for (const narrowed of prepareDataFolder(dataDir, DATABASE_FILE)) onNarrowed?.(narrowed);
  return openSqlite({ path: join(dataDir, DATABASE_FILE), now, sleep: (ms) => sleep(ms) });
}
