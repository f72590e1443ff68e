import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DatabaseConnection,
  DummyDriver,
  type Dialect as KyselyDialect,
  PostgresDialect,
  sql,
  Transaction,
} from 'kysely';
import { errorCode } from '../../domain/records.ts';
import { ChangeFeed } from '../changes/change-feed.ts';
import { watchedDialect } from '../changes/record-writes.ts';
import { kyselyOf } from '../query-builder.ts';
import type { Queries, Tx } from '../schema/index.ts';
import { createStore, type Store } from '../store.ts';
import { watchPostgresVersion } from './data-version.ts';
import { postgres } from './dialect.ts';
import { createLimitedPool, type LimitedPool, withSingleConnection } from './pool.ts';
import { causeOf, withoutWaits } from './round-trips.ts';
import { withSharedReads } from './shared-reads.ts';

interface OpenPostgres {
  url: string;
  // Another address means that the first one leads to a pooler, which gives each transaction another connection. Here a
  // session lasts, for what needs one and for what takes longer than a pooler allows.
  directUrl?: string;
  poolSize: number;
  // The statement timeout; 0 for none. Migrations have none.
  statementMs: number;
  now: () => Date;
  onError: (error: unknown) => void;
}

const ATTEMPTS = 5;
const GOODBYE_MS = 1500;

export async function openPostgres(options: OpenPostgres): Promise<Store> {
  const { url, directUrl = url, poolSize, statementMs, now, onError } = options;
  const limited = createLimitedPool({ url, isPooler: url !== directUrl, poolSize, statementMs, onError });
  const migrating = createLimitedPool({ url: directUrl, poolSize: 1, statementMs: 0, onError });
  const { pool } = limited;
  const dialect = watchedDialect(withoutWaits(new PostgresDialect({ pool })));
  const db = kyselyOf(dialect);
  const reader = kyselyOf(withSharedReads(new PostgresDialect({ pool })));
  // Apart, so that no other read waits behind a statement of a search.
  const searcher = kyselyOf(withSharedReads(new PostgresDialect({ pool })));
  const writer = kyselyOf(new PostgresDialect({ pool: migrating.pool }));
  const changes = new ChangeFeed();
  const room = watchRoom(writer, now);
  const version = watchPostgresVersion({ url: directUrl, changes, onError });
  return createStore(
    {
      dialect: postgres,
      reader,
      searcher,
      writer,
      transaction: (work) => retryTransaction({ db, dialect }, work),
      snapshot: (work) =>
        withSingleConnection({ url: directUrl, onError }, (single) =>
          single.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
        ),
      announce: (tx, writes) => version.announce(tx, writes),
      committed: ({ version: number, change }) => changes.advance(number, change),
      dataVersion: () => version.current(),
      changes,
      opened: () => version.start(),
      suspicious: async () => room.isDue() || (await isReadOnly(db)),
      probeRoom: () => room.probe(),
      pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
      close: async () => {
        await version.stop();
        await Promise.all([endPool(limited), endPool(migrating)]);
      },
    },
    now,
  );
}

const PROBED_EVERY_MS = 30_000;
// About 2 MB.
const PROBE_ROWS = 30_000;
const NO_TEMPORARY_TABLES = '42501';

// The disk belongs to the server, so only writing shows that it is full. A row finds room in pages that are there, and
// text is compressed: a table of its own needs new room. It is made when somebody asks, at most every half minute.
function watchRoom(db: Queries, now: () => Date): { isDue(): boolean; probe(): Promise<void> } {
  let probedAt = 0;
  return {
    isDue: () => now().getTime() - probedAt >= PROBED_EVERY_MS,
    async probe() {
      probedAt = now().getTime();
      try {
        await db.transaction().execute(async (tx) => {
          await sql`SET LOCAL temp_tablespaces = ''`.execute(tx);
          await sql`CREATE TEMPORARY TABLE registry_room_probe ON COMMIT DROP AS
            SELECT md5(number::text) AS text FROM generate_series(1, ${sql.lit(PROBE_ROWS)}) AS number`.execute(tx);
        });
      } catch (error) {
        if (errorCode(error) !== NO_TEMPORARY_TABLES) throw error;
      }
    },
  };
}

async function isReadOnly(db: Queries): Promise<boolean> {
  const { rows } = await sql<{ state: string }>`SELECT current_setting('transaction_read_only') AS state`.execute(db);
  return rows[0]?.state === 'on';
}

// A server that has stopped answering does not delay the exit of the process.
// The pool itself is ended: a query builder that was never asked for anything would end nothing, and the sockets of the others
// would break.
async function endPool({ pool, destroySockets }: LimitedPool): Promise<void> {
  const limit = new AbortController();
  const tooLong = sleep(GOODBYE_MS, undefined, { signal: limit.signal }).catch(() => {});
  await Promise.race([pool.end(), tooLong]);
  limit.abort();
  destroySockets();
}

// PostgreSQL ends one of two transactions that wait for each other, so the work may run more than once.
async function retryTransaction<T>({ db, dialect }: PipelinedDatabase, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(async (tx) => {
        const connection = await connectionOf(tx);
        return work(pipelined(tx, { connection, dialect })).catch((error) => {
          throw causeOf(connection, error);
        });
      });
    } catch (error) {
      if (!postgres.isBusy(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

interface PipelinedDatabase {
  db: Queries;
  dialect: KyselyDialect;
}

function connectionOf(tx: Tx): Promise<DatabaseConnection> {
  return tx.getExecutor().provideConnection(async (connection) => connection);
}

// The query builder lets each statement of a transaction wait for the answer to the one before; here they only wait in
// the connection, which sends them at once and in order.
function pipelined(tx: Tx, { connection, dialect }: { connection: DatabaseConnection; dialect: KyselyDialect }): Tx {
  const executor = tx.getExecutor().withConnectionProvider({ provideConnection: (use) => use(connection) });
  // The transaction ends where it began, so this one needs no driver.
  return new Transaction({ config: { dialect }, dialect, driver: new DummyDriver(), executor });
}
