// The longest turn of the event loop while some work is done. Each turn is measured by the processor time of this thread, whatever
// else the machine does meanwhile; the clock is read as well, which shows what waited for a disk.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { threadMs } from '../processor-time.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

export interface LongestTurn {
  // Processor time.
  ms: number;
  // Of the turn that was longest by the clock.
  clockMs: number;
}

export async function longestBlock<T>(work: () => Promise<T>): Promise<LongestTurn & { result: T }> {
  // The documents are made in this process, and tidying up after that is no part of the work.
  collectGarbage();
  let longest = 0;
  let clockMs = 0;
  let isOver = false;
  let last = threadMs();
  let lastAt = performance.now();
  const turn = () => {
    const now = threadMs();
    const at = performance.now();
    longest = Math.max(longest, now - last);
    clockMs = Math.max(clockMs, at - lastAt);
    last = now;
    lastAt = at;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work();
  isOver = true;
  await nextTurn();
  return { ms: longest, clockMs, result };
}
