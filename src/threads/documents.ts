// Where documents from elsewhere are read: a small one at once, a large one on a thread of the process's pool. Bodies of requests
// have a thread of their own, so that nobody waits behind the documents of sources.
import { availableParallelism } from 'node:os';
import { TaskPool } from './pool.ts';
import type { Task } from './task.ts';
import { endLongTurn } from './turns.ts';

// Parsers cost time in proportion to the length. The worst kind of this much takes about 45 ms, ordinary text a few.
export const SMALL = 8_000;
const LIMIT_MS = 10_000;

let pooled = 0;

const pool = new TaskPool({
  threads: Math.max(1, Math.min(2, availableParallelism() - 1)),
  limitMs: LIMIT_MS,
  maxQueued: 200,
});

const requests = new TaskPool({ threads: 1, limitMs: LIMIT_MS, maxQueued: 50 });

// `size` is the length of the document. Rejects with `TaskTimeout` when a large one takes too long.
export async function readDocument<Input, Output>(
  task: Task<Input, Output>,
  input: Input,
  size: number,
): Promise<Output> {
  return size <= SMALL ? task.run(input) : onThread(task, input);
}

// For work with a time limit of its own. Handing over ten megabytes takes time too.
export async function onThread<Input, Output>(task: Task<Input, Output>, input: Input): Promise<Output> {
  await endLongTurn();
  pooled += 1;
  return pool.run(task, input);
}

// For what a request sends.
export function onRequestThread<Input, Output>(task: Task<Input, Output>, input: Input): Promise<Output> {
  pooled += 1;
  return requests.run(task, input);
}

// How many tasks the process has given to its threads.
export function pooledTasks(): number {
  return pooled;
}
