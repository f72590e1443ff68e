// Work on a read thread, with what it asks while it runs.
import type { DatabaseConnection, Driver } from 'kysely';
import { loadModule } from '../../threads/load-module.ts';
import type { BesideWork } from '../beside.ts';
import type { Queries } from '../schema/index.ts';
import type { SqliteConnection } from './connection.ts';
import { sqlite } from './dialect.ts';
import type { RunStatement } from './match.ts';
import { manyConnections, PROCEDURES, runOnThreads } from './procedures.ts';
import {
  type ProcedureAnswer,
  plainError,
  resultOf,
  rowsOf,
  type WorkCall,
  type WorkQuestion,
  type WorkReply,
} from './thread-messages.ts';

type Run = (work: BesideWork) => Promise<unknown>;

export class ThreadWork {
  readonly #queries: Queries;
  readonly #send: (question: WorkQuestion) => void;
  readonly #waiting = new Map<number, (reply: ProcedureAnswer) => void>();
  #shared: unknown;
  #asked = 0;

  constructor(connection: SqliteConnection, send: (question: WorkQuestion) => void) {
    this.#queries = threadQueries(connection);
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
function threadQueries(connection: SqliteConnection): Queries {
  const queries = manyConnections(new ThreadDriver(connection));
  const run: RunStatement = async (sql, parameters) => rowsOf(connection.readArrays(sql, parameters));
  runOnThreads(queries, (name, query) =>
    (PROCEDURES[name] as (run: RunStatement, query: unknown) => Promise<unknown>)(run, query),
  );
  return queries;
}

class ThreadDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    throw new Error('a read thread has no transactions');
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
