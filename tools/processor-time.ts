// How much processor time a process and all that it has started have used, by what Linux tells in /proc.
import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 10;

interface ProcessTimes {
  parent: number;
  // Its own and that of its ended children.
  ms: number;
}

// 0 where the system does not tell.
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

// Of this process and its ended children.
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
    // It has ended meanwhile.
    return null;
  }
}

function descends(pid: number, root: number, processes: ReadonlyMap<number, ProcessTimes>): boolean {
  for (let at: number | undefined = pid; at; at = processes.get(at)?.parent) if (at === root) return true;
  return false;
}
