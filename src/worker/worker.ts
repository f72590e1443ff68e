// The background half of the service: all loops together.
import type { Context } from '../context.ts';
import { createDelivering } from './delivering.ts';
import { createEmbeddingTasks } from './embedding.ts';
import { createFetching } from './fetching.ts';
import { createLoop, type LoopTimers } from './loop.ts';
import { type BackgroundTask, MAINTENANCE } from './maintenance.ts';
import { WRITING } from './writing.ts';

interface Worker {
  start(): void;
  // Waits for every running pass.
  stop(): Promise<void>;
  // Does now whatever is waiting, once.
  drain(): Promise<void>;
}

interface WorkerOptions {
  tasks?: readonly BackgroundTask[];
  timers?: LoopTimers;
}

// What may hold its thread for a while: reading, deriving, embedding. Webhooks are delivered in another one.
export function tasksBesideDelivery(): readonly BackgroundTask[] {
  return [...MAINTENANCE, ...createFetching(), ...createEmbeddingTasks(), ...WRITING];
}

function allTasks(): readonly BackgroundTask[] {
  return [...tasksBesideDelivery(), ...createDelivering()];
}

export function createWorker(ctx: Context, options: WorkerOptions = {}): Worker {
  const { tasks = allTasks(), timers } = options;
  const loops = tasks.map(({ name, everyMs, run }) =>
    createLoop({ name, everyMs, run: (signal) => run(ctx, signal) }, { log: ctx.log, timers }),
  );
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    async drain() {
      for (const loop of loops) await loop.drain();
    },
  };
}
