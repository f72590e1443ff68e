// The database as the rest of the service sees it: committed reads, transactions, and a version that moves with the data.
import { Kysely, sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import { type Migrator, migrate, migrationState } from './migrate.ts';
import type { Queries, Schema, Tx } from './schema.ts';

// catalog: a caller is told that it happened, and readers must see it; derived: readers must see it, but it can be
// rebuilt; bookkeeping: neither.
export type WriteKind = 'catalog' | 'derived' | 'bookkeeping';

export interface Store {
  readonly dialect: Dialect;
  readonly read: Queries;
  // The same for questions that take a while: they never hold up the thread that asks.
  readonly search: Queries;
  transaction<T>(work: (tx: Tx) => Promise<T>, kind: WriteKind): Promise<T>;
  // Moves whenever a commit of any process changed what public reads show.
  dataVersion(): number;
  migrate(): Promise<string[]>;
  migrationsPending(): Promise<string[]>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface Engine {
  dialect: Dialect;
  reader: Queries;
  searcher: Queries;
  writer: Queries;
  transaction<T>(work: (tx: Tx) => Promise<T>, kind: WriteKind): Promise<T>;
  announce(tx: Tx, version: number): Promise<void>;
  committed(version: number): void;
  dataVersion(): number;
  opened(): Promise<void>;
  close(): Promise<void>;
}

export function createStore(engine: Engine, now: () => Date): Store {
  const migrator: Migrator = { dialect: engine.dialect, writer: engine.writer, now };
  return {
    dialect: engine.dialect,
    read: engine.reader,
    search: engine.searcher,
    async transaction(work, kind) {
      let version: number | null = null;
      const result = await engine.transaction(async (tx) => {
        const value = await work(tx);
        // Last in the transaction: its row lock is what orders commits.
        if (kind !== 'bookkeeping') {
          version = await moveDataVersion(tx);
          await engine.announce(tx, version);
        }
        return value;
      }, kind);
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
    close: () => engine.close(),
  };
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
