// Long lists are processed a part at a time, so that the process answers requests in between.
import { setImmediate as nextTurn } from 'node:timers/promises';

// The longest turn, well below what other requests may wait, because the work between two checks of the clock is added.
const TURN_MS = 5;

// When the first work of this turn of the event loop was seen; null before that.
let turnBegan: number | null = null;

// Ends a turn of the event loop that has lasted too long, so that the process answers waiting requests. It is called for
// every row of every batch, so it makes a promise only when there is something to wait for.
export function endLongTurn(): Promise<void> | undefined {
  if (turnBegan !== null) return performance.now() - turnBegan >= TURN_MS ? nextTurn() : undefined;
  turnBegan = performance.now();
  setImmediate(() => {
    turnBegan = null;
  }).unref();
  return undefined;
}

// Runs work that yields where it can be interrupted, after at most a few milliseconds.
export async function inTurns<T>(work: Iterator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await endLongTurn();
  }
}
