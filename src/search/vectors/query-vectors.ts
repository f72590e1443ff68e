// Queries as vectors: each embedded once, however many legs and callers ask, and remembered for an hour.
import type { Embedder } from './embedder.ts';
import { EmbedFailure } from './embedder.ts';

const MOST = 10_000;
const KEPT_MS = 3_600_000;

interface QueryVectorsOptions {
  embedder: Embedder;
  clock: () => Date;
  /** An answer that takes longer is none. */
  patienceMs: number;
}

interface Remembered {
  vector: Promise<Float32Array>;
  at: number;
}

export class QueryVectors {
  readonly #options: QueryVectorsOptions;
  readonly #remembered = new Map<string, Remembered>();

  constructor(options: QueryVectorsOptions) {
    this.#options = options;
  }

  /** With so many values. Throws an `EmbedFailure`. */
  async of(text: string, dims: number): Promise<Float32Array> {
    const vector = await this.#remember(text);
    if (vector.length === dims) return vector;
    this.#remembered.delete(text);
    throw new EmbedFailure('malformed', `${vector.length} values instead of ${dims}`);
  }

  #remember(text: string): Promise<Float32Array> {
    const now = this.#options.clock().getTime();
    const known = this.#remembered.get(text);
    this.#remembered.delete(text);
    const vector = known && now - known.at < KEPT_MS ? known.vector : this.#embed(text);
    this.#remembered.set(text, { vector, at: vector === known?.vector ? known.at : now });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MOST && oldest !== undefined) this.#remembered.delete(oldest);
    return vector;
  }

  #embed(text: string): Promise<Float32Array> {
    const { embedder, patienceMs } = this.#options;
    const vector = within(patienceMs, embedder.embed([text], 'query')).then(([first]) => {
      if (!first) throw new EmbedFailure('malformed', 'no vector');
      return first;
    });
    // A failure is not remembered.
    vector.catch(() => {
      if (this.#remembered.get(text)?.vector === vector) this.#remembered.delete(text);
    });
    return vector;
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EmbedFailure('timeout', `no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
