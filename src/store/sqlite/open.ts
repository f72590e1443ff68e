import { access, constants, statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import { ChangeFeed, type Commit, decodeChange, encodeChange } from '../changes/change-feed.ts';
import { type WriteSummary, watchedDialect, withOwners } from '../changes/record-writes.ts';
import { kyselyOf } from '../query-builder.ts';
import type { Queries, Tx } from '../schema/index.ts';
import { createStore, type Store } from '../store.ts';
import { createCheckpoints } from './checkpoints.ts';
import { SqliteConnection, sqliteDialect } from './connection.ts';
import { sqlite } from './dialect.ts';
import { openReadThreads } from './read-threads.ts';

interface OpenSqlite {
  path: string;
  // How long a statement that reads may take; 0 or nothing for no limit.
  statementMs?: number;
  now: () => Date;
  sleep: (ms: number) => Promise<void>;
}

const LITTLE_ROOM = 1024 * 1024;

// Two connections: readers see committed data only, even while a transaction of this process is unfinished.
export function openSqlite({ path, statementMs = 0, now, sleep }: OpenSqlite): Store {
  const writing = new SqliteConnection({ path, mode: 'write', sleep });
  const reading = new SqliteConnection({ path, mode: 'read', statementMs, sleep });
  const writer = kyselyOf(watchedDialect(sqliteDialect(writing)));
  const reader = kyselyOf(sqliteDialect(reading));
  const searcher = openReadThreads({ path, statementMs });
  const changes = new ChangeFeed();
  const checkpoints = createCheckpoints(path);
  return createStore(
    {
      dialect: sqlite,
      reader,
      searcher,
      writer,
      async transaction(work, kind) {
        const result = await writer.connection().execute((connection) => {
          // An acknowledged write must be on disk; data that can be rebuilt need not wait for it.
          writing.setSynchronous(kind === 'catalog' ? 'FULL' : 'NORMAL');
          return connection.transaction().execute(work);
        });
        checkpoints.committed();
        return result;
      },
      snapshot: (work) => inSnapshot(new SqliteConnection({ path, mode: 'read', sleep }), work),
      announce: storeChange,
      committed: () => {},
      dataVersion: watchDataVersion(reading, changes),
      changes,
      opened: async () => {},
      suspicious: () => mayRefuseWrites(path),
      close: async () => {
        await checkpoints.settled();
        await searcher.destroy();
        await reader.destroy();
        // The query builder closes only connections that it has used, and the last writer to close copies the log into
        // the file.
        reading.close();
        await writer.destroy();
        writing.close();
      },
    },
    now,
  );
}

// The disk is nearly full, or its file system has become read-only.
async function mayRefuseWrites(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize < LITTLE_ROOM;
  } catch {
    return true;
  }
}

// A separate connection: the commits of others stay in the log while it reads.
async function inSnapshot<T>(connection: SqliteConnection, work: (db: Queries) => Promise<T>): Promise<T> {
  try {
    // The first read sets the snapshot.
    connection.database.exec('BEGIN; SELECT COUNT(*) FROM sqlite_schema');
    return await work(kyselyOf(sqliteDialect(connection)));
  } finally {
    connection.close();
  }
}

// A process that has missed more commits than this invalidates everything.
const STORED_CHANGES = 1000;
// Older changes are deleted together, once per this many commits.
const DELETED_AFTER = 100;

async function storeChange(tx: Tx, writes: WriteSummary): Promise<Commit> {
  const change = await withOwners(tx, writes);
  const { value: version } = await tx
    .updateTable('counters')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', 'catalog')
    .returning('value')
    .executeTakeFirstOrThrow();
  await sql`INSERT INTO data_changes (version, change) VALUES (${version}, ${encodeChange(change)})`.execute(tx);
  if (version % DELETED_AFTER === 0) {
    await sql`DELETE FROM data_changes WHERE version <= ${version - STORED_CHANGES}`.execute(tx);
  }
  return { version, change };
}

const CHANGES = `SELECT counter.value, changed.version, changed.change
  FROM counters AS counter LEFT JOIN data_changes AS changed ON changed.version > ?
  WHERE counter.name = 'catalog' ORDER BY changed.version`;

// PRAGMA data_version changes with every commit of another connection; the counter shows whether the commit is visible
// to readers, and the stored changes show which entities it affects.
function watchDataVersion(connection: SqliteConnection, changes: ChangeFeed): () => number {
  // This runs for nearly every cached answer, and a row as an array takes half the time of an object.
  const dataVersion = connection.database.prepare('PRAGMA data_version');
  dataVersion.setReturnArrays(true);
  let pragma: unknown = null;
  return () => {
    const [current] = dataVersion.get() as unknown as [number];
    if (current !== pragma) {
      // Outside of a statement of a request, so that no deadline of an earlier one counts.
      const rows = connection.database.prepare(CHANGES).all(changes.version);
      for (const { version, change } of rows) {
        if (typeof version === 'number' && typeof change === 'string') changes.advance(version, decodeChange(change));
      }
      changes.advance(Number(rows[0]?.value ?? 0), null);
      pragma = current;
    }
    return changes.version;
  };
}
