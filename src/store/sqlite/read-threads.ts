// Kysely driver over a few threads, each with a read-only connection, so that a slow statement delays no other request.
// A thread starts when it is first needed; while all are busy, further statements wait in a queue.
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { besideCaller } from '../../threads/beside-caller.ts';
import { ThreadCalls } from '../../threads/calls.ts';
import { THREADS } from '../../threads/start.ts';
import type { BesideRequest, QueriesWithThreads } from '../beside.ts';
import type { ProcedureName } from './procedures.ts';
import { manyConnections, runOnThreads } from './procedures.ts';
import {
  type ProcedureAnswer,
  type ProcedureCall,
  plainError,
  resultOf,
  rowsOf,
  type Statement,
  type StatementAnswer,
  type WorkCall,
  type WorkQuestion,
  type WorkReply,
} from './thread-messages.ts';

const SCRIPT = besideCaller(import.meta.url, 'read-thread');

const CLOSED = 'the store is closed';

// The statements of a thread may take so long; 0 for no limit.
export interface ReadThreadData {
  path: string;
  statementMs: number;
}

export function openReadThreads(data: ReadThreadData): QueriesWithThreads {
  const threads = new ReadThreads(data);
  const queries = manyConnections(threads);
  runOnThreads(queries, (name, query) => threads.call(name, query));
  return Object.assign(queries, {
    runBeside: <Output>(request: BesideRequest<Output>) => threads.work(request),
  });
}

class ReadThreads implements Driver {
  readonly #data: ReadThreadData;
  readonly #threads = new Set<ReadThread>();
  readonly #idle: ReadThread[] = [];
  readonly #waiting: { resolve(thread: ReadThread): void; reject(error: Error): void }[] = [];
  #closed = false;

  constructor(data: ReadThreadData) {
    this.#data = data;
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

  // Work goes to the thread that has the least to do, beside its statements and other work: while it waits for an answer, the
  // thread is free.
  async work<Output>(request: BesideRequest<Output>): Promise<Output> {
    if (this.#closed) throw new Error(CLOSED);
    let thread = leastBusy(this.#running());
    if (!thread || (thread.pending > 0 && this.#threads.size < THREADS.search.most)) {
      thread = this.#start();
      this.#idle.push(thread);
    }
    return (await thread.work(request)) as Output;
  }

  async acquireConnection(): Promise<ReadThread> {
    if (this.#closed) throw new Error(CLOSED);
    const running = this.#running();
    const idle = leastBusy(this.#idle);
    if (idle) {
      this.#idle.splice(this.#idle.indexOf(idle), 1);
      return idle;
    }
    if (running.length < THREADS.search.most) return this.#start();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  // Threads that have crashed are forgotten.
  #running(): ReadThread[] {
    for (const thread of this.#threads) {
      if (!thread.hasEnded) continue;
      this.#threads.delete(thread);
      const at = this.#idle.indexOf(thread);
      if (at !== -1) this.#idle.splice(at, 1);
    }
    return [...this.#threads];
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
    const thread = new ReadThread(this.#data);
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

function leastBusy(threads: readonly ReadThread[]): ReadThread | undefined {
  return threads.toSorted((a, b) => a.pending - b.pending)[0];
}

class ReadThread implements DatabaseConnection {
  readonly #calls: ThreadCalls<WorkQuestion>;
  readonly #answering = new Map<number, BesideRequest<unknown>['answer']>();
  #shared: object | null = null;
  #works = 0;

  constructor(workerData: ReadThreadData) {
    const onNotice = (question: WorkQuestion) => void this.#answer(question);
    this.#calls = new ThreadCalls('search', SCRIPT, { workerData, onNotice });
  }

  get hasEnded(): boolean {
    return this.#calls.hasEnded;
  }

  get pending(): number {
    return this.#calls.pending;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: rowsOf<R>(await this.#calls.ask<StatementAnswer>({ sql, parameters } satisfies Statement)) };
  }

  async call(procedure: ProcedureName, query: unknown): Promise<unknown> {
    return resultOf(await this.#calls.ask<ProcedureAnswer>({ procedure, query } satisfies ProcedureCall));
  }

  async work({ task: { module, name }, input, shared, answer }: BesideRequest<unknown>): Promise<unknown> {
    this.#works += 1;
    const work = this.#works;
    this.#answering.set(work, answer);
    const call: WorkCall = { work, module, name, input, shared: shared === this.#shared ? undefined : shared };
    this.#shared = shared;
    try {
      return resultOf(await this.#calls.ask<ProcedureAnswer>(call));
    } finally {
      this.#answering.delete(work);
    }
  }

  async #answer({ work, asked, question }: WorkQuestion): Promise<void> {
    const reply = await Promise.resolve(this.#answering.get(work)?.(question)).then(
      (result): ProcedureAnswer => ({ result }),
      (error): ProcedureAnswer => ({ error: plainError(error) }),
    );
    if (!this.hasEnded) this.#calls.send({ asked, reply } satisfies WorkReply);
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
