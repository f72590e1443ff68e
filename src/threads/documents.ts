// Parses untrusted documents: small ones at once, large ones on a thread of the process's pool. Bodies of requests have a
// thread of their own, so that no caller waits behind the documents of sources.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TaskPool } from './pool.ts';
import type { Task } from './task.ts';
import { endLongTurn } from './turns.ts';

// The time of parsers grows with the length. The worst texts of this length take about 45 ms, ordinary ones a few.
export const MAX_INLINE_CHARS = 8_000;
const LIMIT_MS = 10_000;

let pooled = 0;

const documents = new TaskPool({ name: 'documents', limitMs: LIMIT_MS, maxQueued: 200 });
const requests = new TaskPool({ name: 'requests', limitMs: LIMIT_MS, maxQueued: 50 });
const transactions = new TaskPool({ name: 'transactions', limitMs: LIMIT_MS, maxQueued: 200 });

// `size` is the length of the document. Rejects with `TaskTimeout` when a large one takes too long.
export async function readDocument<Input, Output>(
  task: Task<Input, Output>,
  input: Input,
  size: number,
  signal?: AbortSignal,
): Promise<Output> {
  return size <= MAX_INLINE_CHARS ? task.run(input) : onThread(task, input, signal);
}

// Runs a task on a thread, for work with a time limit of its own. Handing over ten megabytes takes time too.
export async function onThread<Input, Output>(
  task: Task<Input, Output>,
  input: Input,
  signal?: AbortSignal,
): Promise<Output> {
  await endLongTurn();
  pooled += 1;
  return documents.run(task, input, { signal });
}

// Runs a task on the thread for bodies of requests. Copying one of many megabytes to the thread takes a turn of its own, and so
// does what the caller makes of the result.
export async function onRequestThread<Input, Output>(task: Task<Input, Output>, input: Input): Promise<Output> {
  await nextTurn();
  pooled += 1;
  const output = await requests.run(task, input);
  await nextTurn();
  return output;
}

// Runs a task for code inside a transaction, whose lock must not wait behind the documents of strangers.
export function onTransactionThread<Input, Output>(task: Task<Input, Output>, input: Input): Promise<Output> {
  pooled += 1;
  return transactions.run(task, input);
}

// How many tasks the process has given to its threads.
export function pooledTasks(): number {
  return pooled;
}
