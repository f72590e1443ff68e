// The expensive facts about the text of a release: its type, its tokens and the digest of its notes. For a long text a
// thread computes them, and for many short ones it helps.
import type { Context } from '../../context.ts';
import { type DigestInput, digestNotes, type NotesDigest, releaseType } from '../../domain/notes/index.ts';
import { elementAt } from '../../domain/records.ts';
import { textTokens } from '../../domain/tokens/index.ts';
import { MAX_INLINE_CHARS, onTransactionThread } from '../../threads/documents.ts';
import { type Computation, resultOf } from '../../threads/results.ts';
import { threadTask } from '../../threads/task.ts';

type Text = { title: string; content: string };
type ReleaseKind = 'feature' | 'rollup';

export function readKind({ title, content }: Text): ReleaseKind {
  return releaseType(title, content);
}

export function countTextTokens(content: string): number {
  return textTokens(content);
}

export function digestText(input: DigestInput): NotesDigest {
  return digestNotes(input);
}

// What all texts of one source share, and the texts; a type that is stated is not read.
export interface TextBatch {
  shared: Pick<DigestInput, 'names' | 'habits'>;
  texts: (Omit<DigestInput, 'names' | 'habits' | 'type'> & { type: ReleaseKind | null })[];
}

export interface TextFacts {
  type: ReleaseKind;
  tokens: number;
  digest: NotesDigest;
}

export function readFacts({ shared, texts }: TextBatch): TextFacts[] {
  return texts.map((text) => {
    const type = text.type ?? readKind(text);
    return { type, tokens: countTextTokens(text.content), digest: digestText({ ...shared, ...text, type }) };
  });
}

const KIND_READING = threadTask(import.meta.url, readKind);
const TOKEN_COUNTING = threadTask(import.meta.url, countTextTokens);
const DIGESTING = threadTask(import.meta.url, digestText);
export const FACT_READING = threadTask(import.meta.url, readFacts);

export function kindReading({ title, content }: Text): Computation<Text, ReleaseKind> {
  return { task: KIND_READING, input: { title, content }, size: content.length };
}

export function tokenCounting(content: string): Computation<string, number> {
  return { task: TOKEN_COUNTING, input: content, size: content.length };
}

function digesting(input: DigestInput): Computation<DigestInput, NotesDigest> {
  return { task: DIGESTING, input, size: input.content.length };
}

// Undefined for a short text, which is cheap to process again together with its version step.
export async function digestOfLong(ctx: Context, input: DigestInput): Promise<NotesDigest | undefined> {
  return input.content.length > MAX_INLINE_CHARS ? resultOf(ctx, digesting(input)) : undefined;
}

// A smaller batch is nearly read by the time that a part comes back.
export const MIN_TEXTS = 64;
// A part takes the thread a few turns of the process, which sends it the next one between two turns.
const PART = 48;

// Facts about the short texts of a large batch. While its transaction reads them from the first to the last, a thread reads
// them from the last to the first, until the two meet. The transaction never waits for the thread: what has not come by then
// is read where it is needed.
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
