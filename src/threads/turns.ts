// Long lists are processed a part at a time, so that the process answers requests in between.
import { setImmediate as nextTurn } from 'node:timers/promises';

// Well below what others may wait; what is done between two looks at the clock comes on top.
const TURN_MS = 10;

// When work in this turn of the event loop was first seen; null: not yet.
let turnBegan: number | null = null;

// Ends a turn that has lasted too long, so that the process answers what has arrived meanwhile. It is asked for every row of
// every batch, so there is a promise only where there is something to wait for.
export function endLongTurn(): Promise<void> | undefined {
  if (turnBegan !== null) return performance.now() - turnBegan >= TURN_MS ? nextTurn() : undefined;
  turnBegan = performance.now();
  setImmediate(() => {
    turnBegan = null;
  }).unref();
  return undefined;
}

// Does work that says where it can be interrupted: it yields after each part of a few milliseconds at most.
export async function inTurns<T>(work: Iterator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await endLongTurn();
  }
}
