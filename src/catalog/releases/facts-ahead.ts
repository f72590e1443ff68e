// Facts about the short texts of a large batch. While its transaction reads them from the first to the last, a thread reads
// them from the last to the first, until the two meet. The transaction never waits for the thread: what has not come by then
// is read where it is needed.
import { elementAt } from '../../domain/records.ts';
import { MAX_INLINE_CHARS, onTransactionThread } from '../../threads/documents.ts';
import { FACT_READING, type TextBatch, type TextFacts } from './text-facts.ts';

// A smaller batch is nearly read by the time that a part comes back.
export const MIN_TEXTS = 64;
// A part takes the thread a few turns of the process, which sends it the next one between two turns.
const PART = 48;

export class FactsAhead {
  readonly #batch: TextBatch;
  // The positions of short texts that the thread was not given yet. A long text has tasks of its own.
  readonly #left: number[];
  readonly #known = new Map<number, TextFacts>();
  #position = 0;

  constructor(batch: TextBatch) {
    this.#batch = batch;
    this.#left = [...batch.texts.keys()].filter(
      (position) => elementAt(batch.texts, position).content.length <= MAX_INLINE_CHARS,
    );
    if (this.#left.length >= MIN_TEXTS) void this.#work();
  }

  // The facts about the text at this position when they are known. Positions only go up.
  take(position: number): TextFacts | undefined {
    this.#position = position;
    return this.#known.get(position);
  }

  async #work(): Promise<void> {
    for (;;) {
      const part = this.#left.splice(-PART);
      if (part.length < PART || elementAt(part, 0) <= this.#position) return;
      const texts = part.map((position) => elementAt(this.#batch.texts, position));
      const { shared } = this.#batch;
      const facts = await onTransactionThread(FACT_READING, { shared, texts }).catch(() => null);
      // A thread that fails helps no further. An error of a text is met again by the transaction.
      if (facts === null) return;
      for (const [index, position] of part.entries()) this.#known.set(position, elementAt(facts, index));
    }
  }
}
