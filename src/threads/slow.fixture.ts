// Tasks of the tests: they end at once, when they are told to, never, by a fault, or by asking for more memory than there is.
import { isMainThread } from 'node:worker_threads';

export function double(value: number): number {
  return value * 2;
}

export function spin(): never {
  for (;;);
}

// Sets the first number when it begins to wait for the second, without using the processor.
export function waitForWord(word: Int32Array): string {
  Atomics.store(word, 0, 1);
  Atomics.notify(word, 0);
  Atomics.wait(word, 1, 0);
  return 'waited';
}

export function fail(message: string): never {
  throw new TypeError(message);
}

export function hoard(): number {
  const kept: number[][] = [];
  for (;;) kept.push(new Array<number>(100_000).fill(kept.length));
}

// Calls itself without end, or answers with a list that is nested without end.
export function nest(how: 'within' | 'answered'): unknown {
  if (how === 'within') return [nest(how)];
  let list: unknown[] = [];
  for (let depth = 0; depth < 50_000; depth += 1) list = [list];
  return list;
}

export function whereRun(_: unknown): 'main' | 'thread' {
  return isMainThread ? 'main' : 'thread';
}

export function whereParsed(json: unknown, { greeting }: { greeting: string }): string {
  return `${greeting} ${(json as { name: string }).name}, ${whereRun(json)}`;
}
