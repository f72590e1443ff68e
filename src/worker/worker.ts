// The background worker: one loop for each task that the caller passes.
import type { Logger } from 'pino';
import type { Context } from '../context.ts';

interface Worker {
  start(): void;
  // Waits for every running pass; `wait` hears the name of each.
  stop(wait?: (name: string, pass: Promise<void>) => Promise<void>): Promise<void>;
  // Runs all work that is waiting now.
  drain(): Promise<void>;
}

interface WorkerOptions {
  tasks: readonly BackgroundTask[];
  timers?: LoopTimers;
}

export function createWorker(ctx: Context, { tasks, timers }: WorkerOptions): Worker {
  const loops: Loop[] = tasks.map(({ name, everyMs, run, wakes }) =>
    createLoop(
      {
        name,
        everyMs,
        async run(signal) {
          const left = await run(ctx, signal);
          if (left === 'more') for (const loop of loops) if (loop.name === wakes) loop.wake();
          return left;
        },
      },
      { log: ctx.log, timers },
    ),
  );
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    async stop(wait = (_, pass) => pass) {
      await Promise.all(loops.map((loop) => wait(loop.name, loop.stop())));
    },
    async drain() {
      for (const loop of loops) await loop.drain();
    },
  };
}

// The result of a pass. `more`: the next pass starts at once.
export type Pass = 'idle' | 'more';

export interface LoopTask {
  name: string;
  everyMs: number;
  // The signal is raised when the loop stops; a long pass ends early and leaves the rest to the next one.
  run(signal: AbortSignal): Promise<Pass>;
}

export interface LoopTimers {
  set(work: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
}

interface Loop {
  readonly name: string;
  start(): void;
  // Ends the pause of an idle loop.
  wake(): void;
  stop(): Promise<void>;
  // Runs passes until one leaves nothing to do; an error is thrown to the caller.
  drain(): Promise<void>;
}

interface LoopSurroundings {
  log: Logger;
  timers?: LoopTimers;
}

const REAL_TIMERS: LoopTimers = {
  set: (work, milliseconds) => setTimeout(work, milliseconds),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

// A named background loop: one pass after another, with a pause when there is nothing to do. An error ends a pass, never
// the loop; stopping waits for the pass that runs.
export function createLoop(task: LoopTask, { log, timers = REAL_TIMERS }: LoopSurroundings): Loop {
  let state: 'new' | 'running' | 'stopped' = 'new';
  let timer: unknown = null;
  let turn: Promise<unknown> = Promise.resolve();
  const stopping = new AbortController();

  // Passes of the loop and of `drain` take turns.
  function pass(): Promise<Pass> {
    const result = turn.then(() => (stopping.signal.aborted ? 'idle' : task.run(stopping.signal)));
    turn = result.catch(() => {});
    return result;
  }

  async function tick(): Promise<void> {
    timer = null;
    const left = await pass().catch((err): Pass => {
      log.error({ err, loop: task.name }, 'background pass failed');
      return 'idle';
    });
    if (state === 'running') timer = timers.set(() => void tick(), left === 'more' ? 0 : task.everyMs);
  }

  return {
    name: task.name,
    start() {
      if (state !== 'new') return;
      state = 'running';
      void tick();
    },
    wake() {
      if (timer === null) return;
      timers.clear(timer);
      void tick();
    },
    async stop() {
      state = 'stopped';
      stopping.abort();
      if (timer !== null) timers.clear(timer);
      timer = null;
      await turn;
    },
    async drain() {
      while ((await pass()) === 'more');
    },
  };
}

export interface BackgroundTask {
  name: string;
  everyMs: number;
  // The task that has work when this one found some; it does not wait for its own look.
  wakes?: string;
  run(ctx: Context, signal: AbortSignal): Promise<Pass>;
}
