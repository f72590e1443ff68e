// One connection over Node's SQLite, and the query builder's driver over it.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Dialect as KyselyDialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { isRecord } from '../../domain/records.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { rowShape, type ToObject } from '../row-shape.ts';
import { DeadlineConnection } from './deadline.ts';
import type { ArrayRows } from './thread-messages.ts';

const STATEMENT_CACHE = 400;
const MAX_EMPTY_LOG_BYTES = 64 * 1024 * 1024;
const BUSY_RETRY_MS = 2;
const BUSY_LIMIT_MS = 10_000;
// Writers of other processes ask again and again, and those that work for long under the lock leave them time to do so. The
// wait for the disk at the end does not count: a slow one would delay every write.
const LONG_HELD_MS = 10;
const HANDOVER_MS = 4;

interface ConnectionOptions {
  path: string;
  mode: 'read' | 'write';
  // How long a statement that reads may take; 0 or nothing for no limit.
  statementMs?: number;
  sleep: (ms: number) => Promise<void>;
}

type Synchronous = 'FULL' | 'NORMAL';

interface PreparedStatement {
  sql: string;
  statement: StatementSync;
  deadline: DeadlineConnection | null;
  // The column names; empty for a statement without rows. Reading them from SQLite costs four times as much as a row of
  // many columns.
  columns: readonly string[];
  // Created with the first row.
  toObject: ToObject | null;
}

export class SqliteConnection implements DatabaseConnection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #deadline: DeadlineConnection | null;
  #synchronous: Synchronous | null = null;
  #lockedAt = 0;
  #workedMs = 0;
  #releasedAt = 0;

  constructor(options: ConnectionOptions) {
    this.database = new DatabaseSync(options.path, { readOnly: options.mode === 'read', timeout: 0 });
    this.#sleep = options.sleep;
    const { path, mode, statementMs = 0 } = options;
    this.#deadline = mode === 'read' && statementMs > 0 ? new DeadlineConnection(path, statementMs) : null;
    if (options.mode === 'write') {
      // Release notes of a few kilobytes fit into such a page; it applies to a new file only.
      this.#patiently(() => this.database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL'));
      this.database.exec('PRAGMA foreign_keys = ON');
      // Checkpoints run on a thread (checkpoints.ts); a commit runs one only when the thread is far behind.
      this.database.exec('PRAGMA wal_autocheckpoint = 32000');
      // What a long reader has made the log grow to is given back when it begins anew.
      this.database.exec(`PRAGMA journal_size_limit = ${MAX_EMPTY_LOG_BYTES}`);
    }
    this.database.exec('PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY');
  }

  // Opening cannot wait asynchronously, and it takes milliseconds.
  #patiently(work: () => void): void {
    this.database.exec('PRAGMA busy_timeout = 5000');
    work();
    this.database.exec('PRAGMA busy_timeout = 0');
  }

  close(): void {
    this.#deadline?.close();
    if (this.database.isOpen) this.database.close();
  }

  prepare(sql: string): StatementSync {
    return this.#prepared(sql).statement;
  }

  #prepared(sql: string): PreparedStatement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const limited = this.#deadline?.prepare(sql, this.database) ?? null;
    const statement = limited ?? this.database.prepare(sql);
    const deadline = limited === null ? null : this.#deadline;
    const prepared = { sql, statement, deadline, columns: columnNames(statement), toObject: null };
    // A write reports the last row id, and those of the full-text index's own tables do not fit a number.
    if (prepared.columns.length === 0) statement.setReadBigInts(true);
    if (this.#statements.size >= STATEMENT_CACHE) {
      const oldest = this.#statements.keys().next().value;
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    this.#statements.set(sql, prepared);
    return prepared;
  }

  // Applies to the transactions after it.
  setSynchronous(how: Synchronous): void {
    if (how === this.#synchronous) return;
    this.database.exec(`PRAGMA synchronous = ${how}`);
    this.#synchronous = how;
  }

  // A reader on another connection never blocks; only BEGIN IMMEDIATE conflicts with another writer, and waits
  // asynchronously.
  async begin(): Promise<void> {
    const wasLong = this.#workedMs >= LONG_HELD_MS;
    if (wasLong && performance.now() - this.#releasedAt < HANDOVER_MS) await this.#sleep(HANDOVER_MS);
    for (let waited = 0; ; waited += BUSY_RETRY_MS) {
      try {
        this.database.exec('BEGIN IMMEDIATE');
        this.#lockedAt = performance.now();
        return;
      } catch (error) {
        if (!isSqliteBusy(error) || waited >= BUSY_LIMIT_MS) throw error;
        await this.#sleep(BUSY_RETRY_MS);
      }
    }
  }

  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await endLongTurn();
    this.#workedMs = performance.now() - this.#lockedAt;
    this.prepare(how).run();
    this.#releasedAt = performance.now();
  }

  // A statement blocks while it runs, and those of one transaction or request follow each other without a turn of the
  // event loop.
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    await endLongTurn();
    const prepared = this.#prepared(query.sql);
    if (prepared.columns.length > 0) return { rows: objectsOf<R>(prepared, query.parameters) };
    const { changes } = prepared.statement.run(...query.parameters.map(bindable));
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  readArrays(sql: string, parameters: readonly unknown[]): ArrayRows {
    const prepared = this.#prepared(sql);
    const rows = arraysOf(prepared, parameters);
    return { columns: prepared.columns, rows };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const statement = this.prepare(query.sql);
    statement.setReturnArrays(false);
    for (const row of statement.iterate(...query.parameters.map(bindable))) yield { rows: [row as R] };
  }
}

function columnNames(statement: StatementSync): string[] {
  return statement.columns().map(({ name }) => name);
}

function arraysOf(prepared: PreparedStatement, parameters: readonly unknown[]): unknown[][] {
  const { statement, deadline, sql } = prepared;
  statement.setReturnArrays(true);
  const read = () => statement.all(...parameters.map(bindable)) as unknown as unknown[][];
  const rows = deadline ? deadline.run(sql, read) : read();
  // `SELECT *` has other columns after a migration, also one by another process.
  if (rows[0] && rows[0].length !== prepared.columns.length) {
    prepared.columns = columnNames(statement);
    prepared.toObject = null;
  }
  return rows;
}

function objectsOf<R>(prepared: PreparedStatement, parameters: readonly unknown[]): R[] {
  const rows = arraysOf(prepared, parameters);
  if (rows.length === 0) return [];
  prepared.toObject ??= rowShape(prepared.columns);
  return rows.map(prepared.toObject) as R[];
}

// node:sqlite binds a JavaScript number as REAL, which makes FTS5 ignore row-id bounds, so whole numbers are bound as
// BigInt.
function bindable(value: unknown): SQLInputValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value === undefined) return null;
  return value as SQLInputValue;
}

// The extended result code, which node:sqlite reports beside the message.
export function sqliteCode(error: unknown): number | null {
  return isRecord(error) && typeof error.errcode === 'number' ? error.errcode : null;
}

export function isSqliteBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && (code & 0xff) === 5;
}

export function isSqliteUnique(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 2067 || code === 1555;
}

// The driver of the query builder: it owns one connection, which callers use in turn.

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
