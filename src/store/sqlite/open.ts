import { access, constants, statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Queries, Tx } from '../schema.ts';
import { createStore, kyselyOf, type Store } from '../store.ts';
import { SqliteConnection } from './connection.ts';
import { sqlite } from './dialect.ts';
import { sqliteDialect } from './driver.ts';
import { readThreadsDialect } from './read-threads.ts';

interface OpenSqlite {
  path: string;
  now: () => Date;
  sleep: (ms: number) => Promise<void>;
}

const SEARCH_THREADS = 2;
const LITTLE_ROOM = 1024 * 1024;

// Two connections: readers see committed data only, even while a transaction of this process is half done.
export function openSqlite({ path, now, sleep }: OpenSqlite): Store {
  const writing = new SqliteConnection({ path, mode: 'write', sleep });
  const reading = new SqliteConnection({ path, mode: 'read', sleep });
  const writer = kyselyOf(sqliteDialect(writing));
  const reader = kyselyOf(sqliteDialect(reading));
  const searcher = kyselyOf(readThreadsDialect({ path, threads: SEARCH_THREADS }));
  const version = watchDataVersion(reading);
  return createStore(
    {
      dialect: sqlite,
      reader,
      searcher,
      writer,
      transaction: (work, kind) => inTransaction(writer, work, kind === 'catalog' ? 'FULL' : 'NORMAL'),
      announce: async () => {},
      committed: () => {},
      dataVersion: version,
      opened: async () => {},
      suspicious: () => mayRefuseWrites(path),
      close: async () => {
        await searcher.destroy();
        await reader.destroy();
        // The query builder ends only what it has used, and the writer brings its log into the file if it is the last.
        reading.close();
        await writer.destroy();
        writing.close();
      },
    },
    now,
  );
}

// Little room is left on the disk, or its file system has become read-only.
async function mayRefuseWrites(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize < LITTLE_ROOM;
  } catch {
    return true;
  }
}

// A write that was acknowledged must be on disk; what can be rebuilt need not wait for it.
function inTransaction<T>(writer: Queries, work: (tx: Tx) => Promise<T>, synchronous: 'FULL' | 'NORMAL'): Promise<T> {
  return writer.connection().execute(async (connection) => {
    await sql.raw(`PRAGMA synchronous = ${synchronous}`).execute(connection);
    return connection.transaction().execute(work);
  });
}

// PRAGMA data_version moves with every commit of another connection; the counter says whether readers would notice.
function watchDataVersion(connection: SqliteConnection): () => number {
  let pragma = -1;
  let version = 0;
  return () => {
    const { data_version: current } = connection.prepare('PRAGMA data_version').get() as { data_version: number };
    if (current !== pragma) {
      const row = connection.prepare("SELECT value FROM counters WHERE name = 'catalog'").get() as
        | { value: number }
        | undefined;
      version = row?.value ?? 0;
      pragma = current;
    }
    return version;
  };
}
