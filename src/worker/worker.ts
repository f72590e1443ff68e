// The background half of the service: the loops of its tasks together. Which tasks is up to the caller, who loads them.
import type { Context } from '../context.ts';
import { createLoop, type LoopTimers } from './loop.ts';
import type { BackgroundTask } from './maintenance.ts';

interface Worker {
  start(): void;
  // Waits for every running pass.
  stop(): Promise<void>;
  // Runs everything that is waiting now, once.
  drain(): Promise<void>;
}

interface WorkerOptions {
  tasks: readonly BackgroundTask[];
  timers?: LoopTimers;
}

export function createWorker(ctx: Context, { tasks, timers }: WorkerOptions): Worker {
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
