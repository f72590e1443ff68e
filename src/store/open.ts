import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Narrowed, prepareDataFolder } from './data-folder.ts';
import type { Store } from './store.ts';

interface OpenStore {
  databaseUrl: string | null;
  // The address of the server itself when the other one leads to a pooler.
  databaseDirectUrl?: string | null;
  dataDir: string;
  poolSize: number;
  // How long a statement may take; 0 for no limit.
  statementMs: number;
  now: () => Date;
  onError: (error: unknown) => void;
  // Called for each file that other users could read before.
  onNarrowed?: (narrowed: Narrowed) => void;
}

export const DATABASE_FILE = 'registry.db';

// Only the driver of the engine in use is loaded.
export async function openStore(options: OpenStore): Promise<Store> {
  const { databaseUrl, databaseDirectUrl, dataDir, poolSize, statementMs, now, onError, onNarrowed } = options;
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres/open.ts');
    return openPostgres({
      url: databaseUrl,
      directUrl: databaseDirectUrl ?? databaseUrl,
      poolSize,
      statementMs,
      now,
      onError,
    });
  }
  for (const narrowed of prepareDataFolder(dataDir, DATABASE_FILE)) onNarrowed?.(narrowed);
  const { openSqlite } = await import('./sqlite/open.ts');
  return openSqlite({ path: join(dataDir, DATABASE_FILE), statementMs, now, sleep: (ms) => sleep(ms) });
}
