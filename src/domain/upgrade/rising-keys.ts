// Ranges of order keys in a rising list, found by halving it.
import { isBelow } from './bounds.ts';

export interface KeyedRange {
  after: string;
  upTo: string;
  gaps?: readonly (readonly [string, string])[];
}

// From the lowest bound of some ranges to the highest one.
export function widestRange(ranges: readonly KeyedRange[]): Pick<KeyedRange, 'after' | 'upTo'> {
  return {
    after: ranges.map(({ after }) => after).reduce((a, b) => (isBelow(b, a) ? b : a)),
    upTo: ranges.map(({ upTo }) => upTo).reduce((a, b) => (isBelow(a, b) ? b : a)),
  };
}

// The parts of a range between its gaps, as indexes of rising keys.
export function indexRanges(keys: readonly string[], { after, upTo, gaps = [] }: KeyedRange): [number, number][] {
  const ranges: [number, number][] = [];
  const end = countUpTo(keys, upTo);
  let start = countUpTo(keys, after);
  for (const [from, to] of gaps) {
    ranges.push([start, Math.min(end, countBelow(keys, from))]);
    start = Math.max(start, countBelow(keys, to));
  }
  return [...ranges, [start, end]];
}

export function countUpTo(rising: readonly string[], limit: string): number {
  return countWhile(rising, (key) => !isBelow(limit, key));
}

export function countBelow(rising: readonly string[], limit: string): number {
  return countWhile(rising, (key) => isBelow(key, limit));
}

function countWhile(rising: readonly string[], holds: (key: string) => boolean): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(rising[middle] as string)) low = middle + 1;
    else high = middle;
  }
  return low;
}
