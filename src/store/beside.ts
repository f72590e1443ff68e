// Work of many statements and of what is done between them, which a thread of the engine takes over as one message: rows
// stay where they are read, and the thread that answers requests only gets the result.
import type { Task } from '../threads/task.ts';
import type { Dialect } from './dialect.ts';
import type { Queries } from './schema/index.ts';

// What a task gets on a thread.
export interface BesideWork<Input = unknown, Shared = unknown> {
  input: Input;
  // The same for all work of a store, so that a thread receives it once.
  shared: Shared;
  // Committed reads on the connection of the thread.
  queries: Queries;
  dialect: Dialect;
  // Asks the one who sent the work.
  ask(question: unknown): Promise<unknown>;
}

export interface BesideRequest<Output> {
  // Its result can be cloned.
  task: Task<BesideWork<never, never>, Promise<Output>>;
  input: unknown;
  shared: object;
  answer(question: unknown): Promise<unknown>;
}

// Queries of an engine with threads; those that run in this thread, or in a server, have none.
export type QueriesWithThreads = Queries & {
  runBeside?: <Output>(request: BesideRequest<Output>) => Promise<Output>;
};
