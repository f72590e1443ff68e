// Runs jobs in parallel: one more than cores, because a test sometimes waits for a disk, a database or another process.
// While cores are still idle, because several jobs wait for a clock, another one starts early.
import { availableParallelism, cpus } from 'node:os';
import { processorMs } from './processor-time.ts';

const LOOK_MS = 2_000;
// A smaller share is always idle.
const IDLE_CORES = 0.5;
// The memory that a batch of tests with a service, its database and a browser may need.
const ROOM = 2 * 1024 ** 3;

export async function runBeside(jobs: (() => Promise<void>)[]): Promise<void> {
  const cores = availableParallelism();
  const waiting = [...jobs];
  const begun = new Set<Promise<void>>();
  let early = 0;
  const beginEarly = async () => {
    early += 1;
    await waiting.shift()?.();
    early -= 1;
  };
  let last = lookAtMachine();
  const timer = setInterval(() => {
    const now = lookAtMachine();
    if (isIdle(last, now, cores) && waiting.length > 0 && early < cores && process.availableMemory() > ROOM) {
      const job = beginEarly();
      begun.add(job);
      // An error ends the run below, after all other jobs.
      job.catch(() => {});
    }
    last = now;
  }, LOOK_MS);
  const work = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) await job();
  };
  try {
    await Promise.all(Array.from({ length: cores + 1 }, work));
    await Promise.all(begun);
  } finally {
    clearInterval(timer);
  }
}

interface MachineTimes {
  at: number;
  // The idle time of all cores together since the machine started.
  idleMs: number;
  // The time of this process and its descendants.
  ownMs: number;
}

function lookAtMachine(): MachineTimes {
  const idleMs = cpus().reduce((sum, { times }) => sum + times.idle, 0);
  return { at: performance.now(), idleMs, ownMs: processorMs(process.pid) };
}

// Cores that other processes use are not idle, and cores that this process may not use do not count.
export function isIdle(from: MachineTimes, to: MachineTimes, cores: number): boolean {
  const elapsedMs = to.at - from.at;
  const idle = (to.idleMs - from.idleMs) / elapsedMs;
  const used = (to.ownMs - from.ownMs) / elapsedMs;
  return idle >= IDLE_CORES && cores - used >= IDLE_CORES;
}
