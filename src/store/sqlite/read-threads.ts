// Kysely driver over a few threads, each with a read-only connection, so that a slow statement delays no other request.
// A thread starts when it is first needed; while all are busy, further statements wait in a queue.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { besideCaller } from '../../threads/beside-caller.ts';
import { ThreadCalls } from '../../threads/calls.ts';
import { THREADS } from '../../threads/start.ts';
import { kyselyOf } from '../query-builder.ts';
import type { Queries } from '../schema/index.ts';
import type { ProcedureName } from './procedure-table.ts';
import { runOnThreads } from './procedures.ts';
import {
  type ProcedureAnswer,
  type ProcedureCall,
  resultOf,
  rowsOf,
  type Statement,
  type StatementAnswer,
} from './thread-messages.ts';

const SCRIPT = besideCaller(import.meta.url, 'read-thread');

const CLOSED = 'the store is closed';

export function openReadThreads(path: string): Queries {
  const threads = new ReadThreads(path);
  const queries = kyselyOf({
    createAdapter: () => new ThreadsAdapter(),
    createDriver: () => threads,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  });
  runOnThreads(queries, (name, query) => threads.call(name, query));
  return queries;
}

// The query builder uses one connection at a time for this engine; here each thread has its own.
class ThreadsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ReadThreads implements Driver {
  readonly #path: string;
  readonly #threads = new Set<ReadThread>();
  readonly #idle: ReadThread[] = [];
  readonly #waiting: { resolve(thread: ReadThread): void; reject(error: Error): void }[] = [];
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  async init(): Promise<void> {}

  async call(procedure: ProcedureName, query: unknown): Promise<unknown> {
    const thread = await this.acquireConnection();
    try {
      return await thread.call(procedure, query);
    } finally {
      await this.releaseConnection(thread);
    }
  }

  async acquireConnection(): Promise<ReadThread> {
    if (this.#closed) throw new Error(CLOSED);
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#threads.size < THREADS.search.most) return this.#start();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    let thread = connection as ReadThread;
    if (thread.hasEnded) {
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

class ReadThread implements DatabaseConnection {
  readonly #calls: ThreadCalls;

  constructor(path: string) {
    this.#calls = new ThreadCalls('search', SCRIPT, { workerData: { path } });
  }

  get hasEnded(): boolean {
    return this.#calls.hasEnded;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: rowsOf<R>(await this.#calls.ask<StatementAnswer>({ sql, parameters } satisfies Statement)) };
  }

  async call(procedure: ProcedureName, query: unknown): Promise<unknown> {
    return resultOf(await this.#calls.ask<ProcedureAnswer>({ procedure, query } satisfies ProcedureCall));
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  // The statement that runs is answered first.
  async end(): Promise<void> {
    this.#calls.send('close');
    await this.#calls.ended();
  }
}
