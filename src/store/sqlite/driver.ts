// Kysely driver over Node's SQLite. One driver owns one connection, which callers use in turn.
import {
  type DatabaseConnection,
  type Driver,
  type Dialect as KyselyDialect,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteConnection } from './connection.ts';

export function sqliteDialect(connection: SqliteConnection): KyselyDialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  #turn: Promise<void> = Promise.resolve();
  #release: (() => void) | null = null;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#turn;
    let done: () => void = () => {};
    this.#turn = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    this.#release = done;
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    await this.#connection.begin();
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.end('COMMIT');
  }

  async rollbackTransaction(): Promise<void> {
    // The engine has already rolled back a transaction that found the disk full; a second rollback would hide that
    // error.
    if (!this.#connection.database.isTransaction) return;
    await this.#connection.end('ROLLBACK');
  }

  async releaseConnection(): Promise<void> {
    const release = this.#release;
    this.#release = null;
    release?.();
  }

  async destroy(): Promise<void> {
    this.#connection.close();
  }
}
