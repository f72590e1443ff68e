// Work that runs a few at a time, in the order in which it came.
import { setImmediate } from 'node:timers/promises';

type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((begin) => waiting.push(begin));
    else running += 1;
    try {
      return await work();
    } finally {
      void next();
    }
  };

  // Requests of others are read before the next one begins.
  async function next(): Promise<void> {
    await setImmediate();
    const begin = waiting.shift();
    if (begin) begin();
    else running -= 1;
  }
}
