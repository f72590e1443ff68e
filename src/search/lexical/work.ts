// What a question costs the index, in entries walked over. Whatever would cost more than a fixed amount is asked of the
// newest part of the index alone.
import type { KeyLadder } from './key-ladder.ts';

/** Entries that may be walked over at once: some milliseconds. */
export const WORK = 30_000;

export interface Stretch {
  /** What the whole index would cost. */
  entries: number;
  work?: number;
  /** The newest key of the stretch. */
  from?: number;
}

/** How far back a stretch of so much work reaches; 0 when it reaches the end. */
export function lowestKeyFor(ladder: KeyLadder, { entries, work = WORK, from }: Stretch): number {
  if (entries <= work) return 0;
  const passed = from === undefined ? 0 : ladder.shareAbove(from);
  return ladder.keyAt(passed + work / entries);
}
