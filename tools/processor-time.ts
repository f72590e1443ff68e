// The processor time of a process and all its descendants, from /proc on Linux.
import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 10;

interface ProcessTimes {
  parent: number;
  // The time of the process and of its ended children.
  ms: number;
}

// 0 on systems without /proc.
export function processorMs(root: number): number {
  const processes = new Map<number, ProcessTimes>();
  try {
    for (const name of readdirSync('/proc')) {
      const times = /^\d+$/.test(name) ? timesOf(name) : null;
      if (times) processes.set(Number(name), times);
    }
  } catch {
    return 0;
  }
  let total = 0;
  for (const [pid, { ms }] of processes) if (descends(pid, root, processes)) total += ms;
  return total;
}

// The time of this process and of its ended children.
export function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return timesOf('self')?.ms ?? (user + system) / 1000;
}

function timesOf(pid: string): ProcessTimes | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ms: ticks * TICK_MS };
  } catch {
    // The process has ended meanwhile.
    return null;
  }
}

function descends(pid: number, root: number, processes: ReadonlyMap<number, ProcessTimes>): boolean {
  for (let at: number | undefined = pid; at; at = processes.get(at)?.parent) if (at === root) return true;
  return false;
}
