// The database as the rest of the service sees it: committed reads, transactions, and a version that moves with the data.
import { Kysely, sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import { type Migrator, migrate, migrationState } from './migrate.ts';
import type { WriteOutage } from './outage.ts';
import type { Queries, Schema, Tx } from './schema.ts';
import { writeSetting } from './settings.ts';
import { watchWrites } from './write-health.ts';

// catalog: the write is acknowledged to a caller, and readers must see it; derived: readers must see it, but it can be
// rebuilt; bookkeeping: neither.
export type WriteKind = 'catalog' | 'derived' | 'bookkeeping';

export interface Store {
  readonly dialect: Dialect;
  // Shown to operators; nothing is decided by it.
  readonly engineName: string;
  readonly read: Queries;
  // The same for questions that take a while: they never hold up the thread that asks.
  readonly search: Queries;
  transaction<T>(work: (tx: Tx) => Promise<T>, kind: WriteKind): Promise<T>;
  // Moves whenever a commit of any process changed what public reads show.
  dataVersion(): number;
  migrate(): Promise<string[]>;
  migrationsPending(): Promise<string[]>;
  ping(): Promise<void>;
  // Why writes fail at present; null when they do not.
  writeOutage(): Promise<WriteOutage | null>;
  // Null on an engine without a pool.
  pool: (() => PoolFigures) | null;
  close(): Promise<void>;
}

export interface PoolFigures {
  total: number;
  idle: number;
  // Callers that wait for a connection.
  waiting: number;
}

interface Engine {
  dialect: Dialect;
  reader: Queries;
  searcher: Queries;
  writer: Queries;
  transaction<T>(work: (tx: Tx) => Promise<T>, kind: WriteKind): Promise<T>;
  announce(tx: Tx, version: number): Promise<void>;
  committed(version: number): void;
  dataVersion(): number;
  opened(): Promise<void>;
  // Cheap signs that a write would fail.
  suspicious(): Promise<boolean>;
  pool?: () => PoolFigures;
  close(): Promise<void>;
}

const PROBE_KEY = 'write_probe';
// About as much as a release with its texts and indexes takes.
const PROBE_TEXT = 'x'.repeat(64 * 1024);

export function createStore(engine: Engine, now: () => Date): Store {
  const migrator: Migrator = { dialect: engine.dialect, writer: engine.writer, now };
  const writes = watchWrites({
    outageOf: engine.dialect.outageOf,
    suspicious: () => engine.suspicious(),
    probe: () => probeWrite(engine, now().toISOString()),
  });
  return {
    dialect: engine.dialect,
    engineName: engine.dialect.name,
    read: engine.reader,
    search: engine.searcher,
    async transaction(work, kind) {
      let version: number | null = null;
      const result = await engine
        .transaction(async (tx) => {
          const value = await work(tx);
          // Last in the transaction: its row lock is what orders commits.
          if (kind !== 'bookkeeping') {
            version = await moveDataVersion(tx);
            await engine.announce(tx, version);
          }
          return value;
        }, kind)
        .catch((error) => {
          writes.failed(error);
          throw error;
        });
      if (version !== null) engine.committed(version);
      return result;
    },
    dataVersion: () => engine.dataVersion(),
    async migrate() {
      const names = await migrate(migrator);
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

// In two transactions: what one transaction inserts and deletes may never reach the disk.
async function probeWrite(engine: Engine, at: string): Promise<void> {
  const probe = { key: PROBE_KEY, value: PROBE_TEXT, updated_at: at };
  await engine.transaction((tx) => writeSetting(tx, probe), 'bookkeeping');
  await engine.transaction((tx) => tx.deleteFrom('settings').where('key', '=', PROBE_KEY).execute(), 'bookkeeping');
}

async function moveDataVersion(tx: Tx): Promise<number> {
  const row = await tx
    .updateTable('counters')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', 'catalog')
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value;
}

export function kyselyOf(dialect: ConstructorParameters<typeof Kysely<Schema>>[0]['dialect']): Queries {
  return new Kysely<Schema>({ dialect });
}
