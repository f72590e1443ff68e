// Distinguishes a hanging batch of tests from a slow one: a hanging one does nothing at all, or works endlessly on one
// test. The speed of the machine does not matter.
import { processorMs } from './processor-time.ts';

// Longer than any test waits for a timer, a lock or another process.
const IDLE_MS = 300_000;
// A smaller share of a core is not work, but timers and garbage collection.
const IDLE_SHARE = 0.01;
// A single test with so much processor time is in an endless loop.
const MAX_WORK_MS = 900_000;
const LOOK_MS = 5_000;

export interface WatchLimits {
  idleMs: number;
  mostWorkMs: number;
  lookMs: number;
}

interface Watched {
  // Called when a test of the batch began or ended.
  heard(): void;
  // The reason why the batch is given up; never settles for a healthy one.
  hanging: Promise<string>;
  end(): void;
}

export function watchBatch(
  pid: number,
  { idleMs = IDLE_MS, mostWorkMs = MAX_WORK_MS, lookMs = LOOK_MS }: Partial<WatchLimits> = {},
): Watched {
  const { promise, resolve } = Promise.withResolvers<string>();
  // The time and the amount of work from which the batch is judged.
  let from = { at: performance.now(), work: processorMs(pid) };
  // The amount of work from which the running tests are judged.
  let heardWork = from.work;
  // Reading the processor time costs milliseconds and tests begin by the thousand, so it is read at the next check.
  let isHeard = false;
  const timer = setInterval(() => {
    const work = processorMs(pid);
    if (isHeard) {
      isHeard = false;
      heardWork = work;
      from = { at: performance.now(), work };
    }
    const quietMs = performance.now() - from.at;
    if (quietMs > idleMs) {
      if (Math.abs(work - from.work) < quietMs * IDLE_SHARE)
        resolve(`nothing happened for ${Math.round(quietMs / 1000)} s`);
      from = { at: performance.now(), work };
    }
    if (work - heardWork > mostWorkMs) {
      resolve(`one test used ${Math.round((work - heardWork) / 1000)} s of processor time`);
    }
  }, lookMs).unref();
  return {
    heard() {
      isHeard = true;
    },
    hanging: promise,
    end: () => clearInterval(timer),
  };
}
