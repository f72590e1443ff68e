// What a process has worked so far, on all of its threads, in nanoseconds of each where the kernel counts them. Unlike the
// time until an answer comes, this does not depend on what else the machine does.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export function processorMsOf(pid: number): number {
  let total = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    total += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  }
  return total / 1e6;
}

// What this thread has worked so far, to the microsecond. Linux alone counts a running thread up to its last tick, which may be
// four milliseconds ago, unless its whole process is asked for first.
export function threadMs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const TICK_MS = 10;

// What the whole machine has worked so far, with what its host took away from it.
function machineMs(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)
    .flatMap((line) => line.split(/\s+/).map(Number));
  return (user + nice + system + irq + softirq + steal) * TICK_MS;
}

interface Work {
  // Processor time of the process, in milliseconds.
  ownMs: number;
  // The share of the machine that neither the process nor this one, nor a load generator, has used: the work of neighbours.
  othersShare: number;
}

// Starts to watch a process; null where the kernel does not tell. The result takes the processor time of a load generator.
export function watchWork(pid: number): ((generatorMs?: number) => Work) | null {
  if (!existsSync('/proc/stat')) return null;
  const now = () => {
    const { user, system } = process.cpuUsage();
    const own = processorMsOf(pid);
    return { at: performance.now(), own, watched: own + (user + system) / 1000, machine: machineMs() };
  };
  const before = now();
  return (generatorMs = 0) => {
    const after = now();
    const others = after.machine - before.machine - (after.watched - before.watched) - generatorMs;
    const whole = (after.at - before.at) * availableParallelism();
    return { ownMs: after.own - before.own, othersShare: Math.max(0, others / whole) };
  };
}

// What is measured beside more work of others than this is measured again.
const SPOILED = 0.1;
const MAX_TRIES = 3;

// The measurement that neighbours of the service disturbed least.
export async function undisturbed<T extends { othersShare: number }>(measure: () => Promise<T>): Promise<T> {
  let best = await measure();
  for (let tries = 1; tries < MAX_TRIES && best.othersShare > SPOILED; tries += 1) {
    const again = await measure();
    if (again.othersShare < best.othersShare) best = again;
  }
  return best;
}
