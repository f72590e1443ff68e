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
