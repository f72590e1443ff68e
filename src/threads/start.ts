// The threads of a process: this table is the whole list, and all of them are started here. A thread starts when it is first
// needed, so a command that needs none has none.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

interface ThreadKind {
  // How many of them a registry has in one process at most.
  most: number;
  // The memory that one may use; it ends when it needs more.
  memoryMb?: number;
  // The process ends only after the thread. Others keep it alive while somebody waits for their answer.
  holdsProcess?: true;
}

export const THREADS = {
  // Documents and long texts of sources, in every process (`threads/documents.ts`).
  documents: { most: Math.max(1, Math.min(2, availableParallelism() - 1)), memoryMb: 512 },
  // Long bodies of requests: no caller waits behind the documents of sources.
  requests: { most: 1, memoryMb: 512 },
  // Long texts that are known only inside a transaction: no lock waits behind the documents of sources.
  transactions: { most: 1, memoryMb: 512 },
  // Published packages side by side; the compiler is loaded there and nowhere else (`threads/evidence.ts`).
  evidence: { most: 1, memoryMb: 1024 },
  // Cards for link previews (`web/cards/draw-card.ts`).
  pictures: { most: 2, memoryMb: 128 },
  // A project compiled against packages (`check/prove/checker.ts`); only `registry check` has it.
  checker: { most: 1, memoryMb: 2048 },
  // Searches and their statements on SQLite, each thread with a read connection (`store/sqlite/read-threads.ts`).
  search: { most: 2 },
  // The vector indexes, where searches by meaning are answered (`search/vectors/index-client.ts`).
  index: { most: 1 },
  // The embedding model: for queries where requests are answered, for documents in the worker (`search/vectors/minilm`).
  model: { most: 1 },
  // The strength of a chosen password; ends a minute after the last one (`accounts/auth/passwords.ts`).
  passwords: { most: 1 },
  // Webhooks, in the process of the worker, with a database connection of its own (`cli/worker.ts`).
  deliveries: { most: 1, holdsProcess: true },
  // The time that a stop may take (`cli/stop.ts`).
  stop: { most: 1 },
} as const satisfies Record<string, ThreadKind>;

export type ThreadName = keyof typeof THREADS;

export interface StartOptions {
  workerData?: unknown;
  memoryMb?: number | undefined;
}

export function startThread(name: ThreadName, script: URL, { workerData, memoryMb }: StartOptions = {}): Worker {
  const kind: ThreadKind = THREADS[name];
  const limit = memoryMb ?? kind.memoryMb;
  const worker = new Worker(script, {
    name,
    workerData,
    // Flags of the process, such as those of a test runner, are not meant for its threads.
    execArgv: [],
    ...(limit === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: limit } }),
  });
  if (!kind.holdsProcess) worker.unref();
  return worker;
}
