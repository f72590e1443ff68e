// Reads that start in the same turn of the event loop share a connection, which sends them at once: what an answer needs
// and does not depend on each other costs one round trip instead of a connection each.
import type { DatabaseConnection, Driver, Dialect as KyselyDialect } from 'kysely';
import { withDriver } from '../query-builder.ts';

// A slow statement delays those behind it on its connection.
const MAX_READERS = 8;

interface SharedConnection {
  connection: Promise<DatabaseConnection>;
  readers: number;
}

export function withSharedReads(dialect: KyselyDialect): KyselyDialect {
  return withDriver(dialect, sharingDriver);
}

function sharingDriver(driver: Driver): Driver {
  const acquire = driver.acquireConnection.bind(driver);
  const release = driver.releaseConnection.bind(driver);
  const taken = new Map<DatabaseConnection, SharedConnection>();
  // The connection that further reads of this turn join.
  let joined: SharedConnection | null = null;
  const open = () => {
    const shared: SharedConnection = { connection: acquire(), readers: 0 };
    joined = shared;
    setImmediate(() => {
      if (joined === shared) joined = null;
    });
    return shared;
  };
  return Object.assign(driver, {
    acquireConnection: async () => {
      const shared = joined !== null && joined.readers < MAX_READERS ? joined : open();
      shared.readers += 1;
      const connection = await shared.connection;
      taken.set(connection, shared);
      return connection;
    },
    releaseConnection: async (connection) => {
      const shared = taken.get(connection);
      if (shared) shared.readers -= 1;
      if (shared && shared.readers > 0) return;
      // It goes back to the pool, so nobody may join it any more.
      if (joined === shared) joined = null;
      taken.delete(connection);
      await release(connection);
    },
    beginTransaction: async () => {
      throw new Error('a connection for reads has no transactions');
    },
  } satisfies Partial<Driver>);
}
