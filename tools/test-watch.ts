// Tells a batch of tests that hangs from one that is slow: a hanging one does nothing at all, or works without end on
// one test. How long a machine takes for its work never counts.
import { processorMs } from './processor-time.ts';

// Nobody waits so long for a timer, a lock or another process.
const IDLE_MS = 300_000;
// Less than this share of a core is no work: timers and upkeep.
const IDLE_SHARE = 0.01;
// A single test that has used so much processor time has lost its way.
const MOST_WORK_MS = 900_000;
const LOOK_MS = 5_000;

export interface WatchLimits {
  idleMs: number;
  mostWorkMs: number;
  lookMs: number;
}

interface Watched {
  // Something came from the batch: a test began or ended.
  heard(): void;
  // Why it is given up; settles at the first sign, or never.
  hanging: Promise<string>;
  end(): void;
}

export function watchBatch(
  pid: number,
  { idleMs = IDLE_MS, mostWorkMs = MOST_WORK_MS, lookMs = LOOK_MS }: Partial<WatchLimits> = {},
): Watched {
  const { promise, resolve } = Promise.withResolvers<string>();
  // Since when, and from what amount of work on, the batch is judged.
  let from = { at: performance.now(), work: processorMs(pid) };
  // From what amount of work on, its tests that are running are judged.
  let heardWork = from.work;
  // Reading the processor time costs milliseconds and tests begin by the thousand, so it is read at the next look.
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
