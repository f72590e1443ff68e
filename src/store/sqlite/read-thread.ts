// A thread with its own read-only connection. It runs statements, procedures and work, and ends on request.
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { DatabaseConnection, Driver } from 'kysely';
import type { ThreadAnswer } from '../../threads/calls.ts';
import { loadModule } from '../../threads/load-module.ts';
import type { BesideWork } from '../beside.ts';
import type { Queries } from '../schema/index.ts';
import { SqliteConnection } from './connection.ts';
import { sqlite } from './dialect.ts';
import type { RunStatement } from './match.ts';
import { manyConnections, PROCEDURES, type ProcedureName, runOnThreads } from './procedures.ts';
import type { ReadThreadData } from './read-threads.ts';
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

// A thread does not inherit the compile cache.
enableCompileCache();
const port = parentPort;
if (port === null) throw new Error('a read thread is started by the store');

const { path, statementMs }: ReadThreadData = workerData;
const connection = new SqliteConnection({ path, mode: 'read', statementMs, sleep: async () => {} });

type Question = (Statement | ProcedureCall | WorkCall) & { id: number };

port.on('message', async (question: Question | WorkReply | 'close') => {
  if (question === 'close') {
    connection.close();
    port.close();
    return;
  }
  if ('reply' in question) return works.replied(question);
  port.postMessage({ id: question.id, answer: await answerTo(question) } satisfies ThreadAnswer);
});

async function answerTo(question: Question): Promise<StatementAnswer | ProcedureAnswer> {
  if ('work' in question) return works.run(question);
  return 'procedure' in question ? procedureAnswer(question) : rowsFor(question);
}

function rowsFor({ sql, parameters }: Statement): StatementAnswer {
  try {
    return connection.readArrays(sql, parameters);
  } catch (error) {
    return { error: plainError(error) };
  }
}

async function procedureAnswer({ procedure, query }: ProcedureCall): Promise<ProcedureAnswer> {
  try {
    return { result: await runHere(procedure, query) };
  } catch (error) {
    return { error: plainError(error) };
  }
}

function runHere(name: ProcedureName, query: unknown): Promise<unknown> {
  const run: RunStatement = async (sql, parameters) => rowsOf(connection.readArrays(sql, parameters));
  return (PROCEDURES[name] as (run: RunStatement, query: unknown) => Promise<unknown>)(run, query);
}

// Work that other parts of the service have done here, with what it asks while it runs.

type Run = (work: BesideWork) => Promise<unknown>;

class ThreadWork {
  readonly #queries = threadQueries();
  readonly #waiting = new Map<number, (reply: ProcedureAnswer) => void>();
  readonly #send: (question: WorkQuestion) => void;
  #shared: unknown;
  #asked = 0;

  constructor(send: (question: WorkQuestion) => void) {
    this.#send = send;
  }

  async run({ work, module, name, input, shared }: WorkCall): Promise<ProcedureAnswer> {
    if (shared !== undefined) this.#shared = shared;
    try {
      const exported = (await loadModule(module)) as Record<string, Run>;
      const run = exported[name];
      if (run === undefined) throw new Error(`${module} exports no ${name}`);
      const ask = (question: unknown) => this.#ask(work, question);
      return { result: await run({ input, shared: this.#shared, queries: this.#queries, dialect: sqlite, ask }) };
    } catch (error) {
      return { error: plainError(error) };
    }
  }

  #ask(work: number, question: unknown): Promise<unknown> {
    this.#asked += 1;
    const asked = this.#asked;
    return new Promise<ProcedureAnswer>((resolve) => {
      this.#waiting.set(asked, resolve);
      this.#send({ work, asked, question });
    }).then(resultOf);
  }

  replied({ asked, reply }: WorkReply): void {
    this.#waiting.get(asked)?.(reply);
    this.#waiting.delete(asked);
  }
}

// Statements run at once, so nobody waits for a turn.
function threadQueries(): Queries {
  const queries = manyConnections(new ThreadDriver());
  runOnThreads(queries, runHere);
  return queries;
}

class ThreadDriver implements Driver {
  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return connection;
  }

  async beginTransaction(): Promise<void> {
    throw new Error('a read thread has no transactions');
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

const works = new ThreadWork((notice) => port.postMessage({ notice }));
