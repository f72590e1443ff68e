// What a process has worked so far, on all of its threads, in nanoseconds of each where the kernel counts them. Unlike the
// time until an answer comes, this does not depend on what else the machine does.
import { readdirSync, readFileSync } from 'node:fs';

export function processorMsOf(pid: number): number {
  let total = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    total += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  }
  return total / 1e6;
}
