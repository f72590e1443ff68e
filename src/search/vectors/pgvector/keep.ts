// The worker's side of the index in the database: it installs the extension where it may, keeps the tables of the spaces in
// use up to date, and drops the others.
import type { Context } from '../../../context.ts';
import { readSpace } from '../../../domain/embedding/space.ts';
import { errorMessage } from '../../../domain/records.ts';
import type { Queries } from '../../../store/schema/index.ts';
import { readSpaces } from '../spaces.ts';
import { findExtension, installExtension, isExtensionAvailable, MAX_DIMS } from './extension.ts';
import { fillTables, type IndexedSpace, isFillDue } from './fill.ts';
import { dropTable, lockTables, readTables } from './tables.ts';

type KeptContext = Pick<Context, 'log' | 'clock'>;

// A database that may have the extension.
export interface IndexDatabase {
  read: Queries;
  // A connection whose statements may take as long as they need.
  connect<T>(work: (db: Queries) => Promise<T>): Promise<T>;
}

const WARN_EVERY_MS = 600_000;
// The pause after a failure doubles, because a build that fails may have taken long.
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 600_000;

export interface TableKeeper {
  // Applies what was written to `vectors`. A failure is logged, and calls after a pause try again.
  follow(ctx: KeptContext, database: IndexDatabase | null, signal: AbortSignal): Promise<void>;
}

export function createTableKeeper(): TableKeeper {
  let triedToInstall = false;
  let pauseMs = 0;
  let pausedUntil = 0;
  let lastWarning = Number.NEGATIVE_INFINITY;
  return {
    async follow(ctx, database, signal) {
      const present = ctx.clock().getTime();
      if (!database || present < pausedUntil) return;
      try {
        if (!triedToInstall) await tryToInstall(ctx, database);
        triedToInstall = true;
        await fill(ctx, database, signal);
        pauseMs = 0;
      } catch (err) {
        pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pauseMs));
        pausedUntil = present + pauseMs;
        if (present - lastWarning < WARN_EVERY_MS) return;
        lastWarning = present;
        ctx.log.warn({ err }, 'the vector index in the database cannot be kept up to date');
      }
    },
  };
}

// The database of the registry; null when its index is not to be there.
export function indexDatabase({ config, store }: Pick<Context, 'config' | 'store'>): IndexDatabase | null {
  const url = config.databaseDirectUrl;
  if (url === null || config.pgvector === 'off') return null;
  return databaseAt(url, store.read);
}

function databaseAt(url: string, read: Queries): IndexDatabase {
  return {
    read,
    async connect(work) {
      const { withSingleConnection } = await import('../../../store/postgres/pool.ts');
      return withSingleConnection({ url }, work);
    },
  };
}

async function tryToInstall({ log }: KeptContext, { read, connect }: IndexDatabase): Promise<void> {
  if ((await findExtension(read)) || !(await isExtensionAvailable(read))) return;
  try {
    await connect(installExtension);
    log.info('the extension vector was installed in the database');
  } catch (error) {
    log.info(
      { reason: errorMessage(error) },
      'the extension vector may not be installed by this user; the vector index stays a file of each machine',
    );
  }
}

async function fill({ log }: KeptContext, { read, connect }: IndexDatabase, signal: AbortSignal): Promise<boolean> {
  if (!(await findExtension(read))?.usable) {
    // An extension that was removed took the columns of its types along.
    await dropTables({ read, connect }, []);
    return true;
  }
  const spaces = await spacesInUse(read);
  if (!(await isFillDue(read, spaces))) return true;
  return connect((db) => fillTables(db, spaces, { signal, log: (message, facts) => log.info(facts, message) }));
}

async function spacesInUse(db: Queries): Promise<IndexedSpace[]> {
  const { active = null, filling = null } = (await readSpaces(db)) ?? {};
  return [active, filling].flatMap((space) => {
    const dims = readSpace(space ?? '')?.dims ?? 0;
    return space !== null && dims > 0 && dims <= MAX_DIMS ? [{ space, dims }] : [];
  });
}

// Drops the tables that are not in use. False while a table lacks deletions, whose rows must then stay.
export async function sweepTables(ctx: Context, database = indexDatabase(ctx)): Promise<boolean> {
  const { config, store } = ctx;
  if (database) {
    try {
      await dropTables(database, await spacesInUse(database.read));
      return await fill(ctx, database, AbortSignal.timeout(SWEEP_MS));
    } catch (err) {
      ctx.log.warn({ err }, 'the vector index in the database cannot be swept');
      return false;
    }
  }
  if (config.databaseDirectUrl !== null) await dropTables(databaseAt(config.databaseDirectUrl, store.read), []);
  return true;
}

const SWEEP_MS = 60_000;

async function dropTables({ read, connect }: IndexDatabase, kept: readonly IndexedSpace[]): Promise<void> {
  const isUnused = ({ space }: { space: string }) => !kept.some((one) => one.space === space);
  if (!(await readTables(read)).some(isUnused)) return;
  await connect((db) =>
    db.transaction().execute(async (tx) => {
      if (!(await lockTables(tx))) return;
      for (const { name } of (await readTables(tx)).filter(isUnused)) await dropTable(tx, name);
    }),
  );
}
