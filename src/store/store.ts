// The database as the rest of the service uses it: committed reads, transactions, and a version that changes with the
// data.
import { sql } from 'kysely';
import type { QueriesWithThreads } from './beside.ts';
import type { ChangeFeed, Commit, Dependencies } from './changes/change-feed.ts';
import { type WriteSummary, watchStatements } from './changes/record-writes.ts';
import type { Dialect } from './dialect.ts';
import { type Migrator, migrate, migrationState } from './migrate.ts';
import { type WriteOutage, watchWrites } from './outage.ts';
import { sendHeld, together } from './pipeline.ts';
import type { Queries, Tx } from './schema/index.ts';
import { writeSetting } from './settings.ts';

// A catalog write is acknowledged to a caller and visible to readers; a derived write is visible to readers but can be
// rebuilt; a bookkeeping write is neither.
export type WriteKind = 'catalog' | 'derived' | 'bookkeeping';

export interface Store {
  readonly dialect: Dialect;
  // Shown to operators; no decision depends on it.
  readonly engineName: string;
  readonly read: Queries;
  // Committed reads for slow queries, which never block the thread that answers requests.
  readonly search: QueriesWithThreads;
  transaction<T>(work: (tx: Tx) => Promise<T>, kind: WriteKind): Promise<T>;
  // Everything that the work reads is one snapshot, however long it takes and whatever is committed meanwhile.
  snapshot<T>(work: (db: Queries) => Promise<T>): Promise<T>;
  // Changes with every commit of any process, except bookkeeping.
  dataVersion(): number;
  readonly changes: Changes;
  migrate(): Promise<string[]>;
  migrationsPending(): Promise<string[]>;
  ping(): Promise<void>;
  // Why writes fail at present; null when they succeed.
  writeOutage(): Promise<WriteOutage | null>;
  // Null for an engine without a pool.
  pool: (() => PoolFigures) | null;
  close(): Promise<void>;
}

// Which answers are still valid. An answer is read after `mark`; it is valid while nothing has changed since.
export interface Changes {
  mark(): number;
  // Compares with the state at the last `mark`.
  changedSince(mark: number, dependencies: Dependencies): boolean;
  // The data version at the last `mark`; 0 while the commits of other processes are not visible.
  version(): number;
}

export interface PoolFigures {
  total: number;
  idle: number;
  // The number of callers that wait for a connection.
  waiting: number;
}

interface Engine {
  dialect: Dialect;
  reader: Queries;
  searcher: QueriesWithThreads;
  writer: Queries;
  transaction<T>(work: (tx: Tx) => Promise<T>, kind: WriteKind): Promise<T>;
  snapshot<T>(work: (db: Queries) => Promise<T>): Promise<T>;
  // Increments the version, last in the transaction because its row lock orders commits, and announces the change with
  // it, so that other processes see both together.
  announce(tx: Tx, writes: WriteSummary): Promise<Commit>;
  committed(commit: Commit): void;
  // Applies the commits of other processes to `changes`.
  dataVersion(): number;
  changes: ChangeFeed;
  opened(): Promise<void>;
  // Cheap checks whether a write would fail.
  suspicious(): Promise<boolean>;
  // Fails when the disk has no room left, on an engine where writing a row does not show it.
  probeRoom?(): Promise<void>;
  pool?: () => PoolFigures;
  close(): Promise<void>;
}

const PROBE_KEY = 'write_probe';
// About the size of a release with its texts and indexes.
const PROBE_TEXT = 'x'.repeat(64 * 1024);

export function createStore(engine: Engine, now: () => Date): Store {
  const migrator: Migrator = { dialect: engine.dialect, writer: engine.writer, now };
  const writes = watchWrites({
    outageOf: engine.dialect.outageOf,
    suspicious: () => engine.suspicious(),
    probe: async () => {
      await probeWrite(engine, now().toISOString());
      await engine.probeRoom?.();
    },
  });
  return {
    dialect: engine.dialect,
    engineName: engine.dialect.name,
    read: engine.reader,
    search: engine.searcher,
    async transaction(work, kind) {
      let commit: Commit | null = null;
      const result = await engine
        .transaction(async (tx) => {
          if (kind === 'bookkeeping') {
            const value = await work(tx);
            await sendHeld(tx);
            return value;
          }
          const done = await announced(engine, tx, work);
          commit = done.commit;
          return done.value;
        }, kind)
        .catch((error) => {
          writes.failed(error);
          throw error;
        });
      if (commit !== null) engine.committed(commit);
      return result;
    },
    snapshot: (work) => engine.snapshot(work),
    dataVersion: () => engine.dataVersion(),
    changes: {
      mark() {
        engine.dataVersion();
        return engine.changes.mark;
      },
      changedSince: (mark, dependencies) => engine.changes.changedSince(mark, dependencies),
      version: () => engine.changes.version,
    },
    async migrate() {
      // Usually there is nothing to do, which needs no writing connection to find out.
      const { pending } = await migrationState(engine.reader);
      const names = pending.length > 0 ? await migrate(migrator) : [];
      await engine.opened();
      return names;
    },
    async migrationsPending() {
      return (await migrationState(engine.reader)).pending.map((migration) => migration.name);
    },
    async ping() {
      await sql`SELECT 1`.execute(engine.reader);
    },
    writeOutage: () => writes.check(),
    pool: engine.pool ?? null,
    close: () => engine.close(),
  };
}

// Runs the work, and tells of what it has changed. What the work has left to the end and the news need no answers
// in between.
async function announced<T>(
  engine: Engine,
  tx: Tx,
  work: (tx: Tx) => Promise<T>,
): Promise<{ value: T; commit: Commit }> {
  const writes = await watchStatements(tx);
  try {
    const value = await work(tx);
    await writes.findSources();
    const held = sendHeld(tx);
    const [, commit] = await together([held, engine.announce(tx, writes.summary())]);
    return { value, commit };
  } finally {
    writes.stop();
  }
}

// Two transactions, because rows that one transaction inserts and deletes may never reach the disk.
async function probeWrite(engine: Engine, at: string): Promise<void> {
  const probe = { key: PROBE_KEY, value: PROBE_TEXT, updated_at: at };
  await engine.transaction((tx) => writeSetting(tx, probe), 'bookkeeping');
  await engine.transaction((tx) => tx.deleteFrom('settings').where('key', '=', PROBE_KEY).execute(), 'bookkeeping');
}
