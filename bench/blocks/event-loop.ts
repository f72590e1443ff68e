// The longest turn of the event loop while some work is done. Each turn is measured by the processor time of this thread, whatever
// else the machine does meanwhile.
import { setImmediate as nextTurn } from 'node:timers/promises';

export async function longestBlock<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  let longest = 0;
  let isOver = false;
  let last = process.threadCpuUsage();
  const turn = () => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - last.user - last.system);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work();
  isOver = true;
  await nextTurn();
  return { ms: longest / 1000, result };
}
