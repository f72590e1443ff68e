// Kysely driver over a few threads, each with a read-only connection, so that a slow statement delays no other request.
// A thread starts when it is first needed; while all are busy, further statements wait in a queue.
import { Worker } from 'node:worker_threads';
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
import { besideCaller } from '../../threads/beside-caller.ts';
import { rowsOf, type StatementAnswer, type StatementQuestion } from './thread-messages.ts';

const SCRIPT = besideCaller(import.meta.url, 'read-thread');

const CLOSED = 'the store is closed';

export function readThreadsDialect(options: { path: string; threads: number }): KyselyDialect {
  return {
    createAdapter: () => new ThreadsAdapter(),
    createDriver: () => new ReadThreads(options),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

// The query builder uses one connection at a time for this engine; here each thread has its own.
class ThreadsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ReadThreads implements Driver {
  readonly #path: string;
  readonly #most: number;
  readonly #threads = new Set<ReadThread>();
  readonly #idle: ReadThread[] = [];
  readonly #waiting: { resolve(thread: ReadThread): void; reject(error: Error): void }[] = [];
  #closed = false;

  constructor({ path, threads }: { path: string; threads: number }) {
    this.#path = path;
    this.#most = threads;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#closed) throw new Error(CLOSED);
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#threads.size < this.#most) return this.#start();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    let thread = connection as ReadThread;
    if (thread.ended) {
      this.#threads.delete(thread);
      if (this.#waiting.length === 0) return;
      thread = this.#start();
    }
    const next = this.#waiting.shift();
    if (next) next.resolve(thread);
    else this.#idle.push(thread);
  }

  #start(): ReadThread {
    const thread = new ReadThread(this.#path);
    this.#threads.add(thread);
    return thread;
  }

  async beginTransaction(): Promise<void> {
    throw new Error('read threads take single statements');
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(CLOSED));
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }
}

interface Pending {
  resolve(answer: StatementAnswer): void;
  reject(error: Error): void;
}

class ReadThread implements DatabaseConnection {
  readonly #worker: Worker;
  readonly #exit: Promise<void>;
  #pending: Pending | null = null;
  ended = false;

  constructor(path: string) {
    this.#worker = new Worker(SCRIPT, { workerData: { path }, name: 'search', execArgv: [] });
    // An idle thread does not keep the process alive.
    this.#worker.unref();
    this.#worker.on('message', (answer: StatementAnswer) => this.#settle()?.resolve(answer));
    this.#exit = new Promise((resolve) => {
      this.#worker.on('error', (error: Error) => this.#gone(error));
      this.#worker.on('exit', () => {
        this.#gone(new Error('a read thread ended'));
        resolve();
      });
    });
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: rowsOf<R>(await this.#ask({ sql, parameters })) };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  async end(): Promise<void> {
    if (!this.ended) this.#worker.postMessage('close' satisfies StatementQuestion);
    this.#worker.ref();
    await this.#exit;
  }

  #ask(question: StatementQuestion): Promise<StatementAnswer> {
    if (this.ended) return Promise.reject(new Error('a read thread ended'));
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#worker.ref();
      this.#worker.postMessage(question);
    });
  }

  #settle(): Pending | null {
    const pending = this.#pending;
    this.#pending = null;
    if (pending) this.#worker.unref();
    return pending;
  }

  #gone(error: Error): void {
    this.ended = true;
    this.#settle()?.reject(error);
  }
}
