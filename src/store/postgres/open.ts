import { PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Queries, Tx } from '../schema.ts';
import { createStore, kyselyOf, type Store } from '../store.ts';
import { watchPostgresVersion } from './data-version.ts';
import { postgres } from './dialect.ts';

export interface OpenPostgres {
  url: string;
  poolSize: number;
  now: () => Date;
  onError: (error: unknown) => void;
}

const BIGINT = 20;
const ATTEMPTS = 5;

// Counts and sequence numbers stay below 2^53, so a JavaScript number holds them.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === BIGINT) return Number;
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
} as pg.CustomTypesConfig;

export async function openPostgres({ url, poolSize, now, onError }: OpenPostgres): Promise<Store> {
  const pool = createPool({ url, poolSize, onError });
  const db = kyselyOf(new PostgresDialect({ pool }));
  const version = watchPostgresVersion({ url, db, onError });
  return createStore(
    {
      dialect: postgres,
      reader: db,
      searcher: db,
      writer: db,
      transaction: (work) => retryTransaction(db, work),
      announce: (tx, value) => version.announce(tx, value),
      committed: (value) => version.moved(value),
      dataVersion: () => version.current(),
      opened: () => version.start(),
      close: async () => {
        await version.stop();
        await db.destroy();
      },
    },
    now,
  );
}

export function createPool({ url, poolSize, onError }: Omit<OpenPostgres, 'now'>): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: poolSize, types, connectionTimeoutMillis: 5000 });
  pool.on('error', onError);
  return pool;
}

async function retryTransaction<T>(db: Queries, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!postgres.isBusy(error) || attempt === ATTEMPTS) throw error;
    }
  }
}
