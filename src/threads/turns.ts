// Long texts are worked on a few at a time: in between, the process answers what has arrived meanwhile.
import { setImmediate as nextTurn } from 'node:timers/promises';

// What so much text costs to fold, or to add to the full-text index, is well under 50 ms.
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
