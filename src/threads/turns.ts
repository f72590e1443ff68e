// Processes long texts a few at a time, so that the process answers requests in between.
import { setImmediate as nextTurn } from 'node:timers/promises';

// So much text is folded, or added to the full-text index, in well under 50 ms.
const TURN_CHARS = 64_000;

export class Turns {
  readonly #most: number;
  #chars = 0;

  constructor(most = TURN_CHARS) {
    this.#most = most;
  }

  async after(chars: number): Promise<void> {
    this.#chars += chars;
    if (this.#chars <= this.#most) return;
    this.#chars = 0;
    await nextTurn();
  }
}

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
