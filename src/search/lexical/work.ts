// What a question costs the index, in entries walked over. Whatever would cost more than a fixed amount is asked of the
// newest part of the index alone.
import type { KeyLadder } from './key-ladder.ts';

/** Entries that may be walked over at once: some milliseconds. */
export const WORK = 30_000;
// Next to a rare word an engine leaps over the entries of others, at the price of so many steps for each.
const LEAP = 25;

export interface Cost {
  /** Entries that a search of the whole index walks over, in the cheaper of two ways. */
  entries: number;
  /** Whether the cheaper way is to leap. */
  sparse: boolean;
}

interface Lists {
  /** Documents in the shortest list, in all of them, and how many lists there are. */
  rarest: number;
  entries: number;
  lists: number;
}

export function costOf({ rarest, entries, lists }: Lists): Cost {
  const leaps = rarest * (1 + LEAP * lists);
  return leaps < entries ? { entries: leaps, sparse: true } : { entries, sparse: false };
}

interface Stretch {
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
