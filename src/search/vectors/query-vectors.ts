// The vectors of queries. Each is embedded once for all retrievers and callers, and cached for an hour.
import type { Embedder } from './embedder.ts';
import { EmbedFailure } from './embedder.ts';

const MAX_CACHED = 10_000;
const CACHED_MS = 3_600_000;

interface QueryVectorsOptions {
  embedder: Embedder;
  clock: () => Date;
  // An answer that takes longer counts as a failure.
  patienceMs: number;
}

interface CachedVector {
  vector: Promise<Float32Array>;
  at: number;
}

export class QueryVectors {
  readonly #options: QueryVectorsOptions;
  readonly #cached = new Map<string, CachedVector>();

  constructor(options: QueryVectorsOptions) {
    this.#options = options;
  }

  // The vector of a text with `dims` values. Throws an `EmbedFailure`.
  async of(text: string, dims: number): Promise<Float32Array> {
    const vector = await this.#vectorOf(text);
    if (vector.length === dims) return vector;
    this.#cached.delete(text);
    throw new EmbedFailure('malformed', `${vector.length} values instead of ${dims}`);
  }

  #vectorOf(text: string): Promise<Float32Array> {
    const now = this.#options.clock().getTime();
    const known = this.#cached.get(text);
    this.#cached.delete(text);
    const vector = known && now - known.at < CACHED_MS ? known.vector : this.#embed(text);
    this.#cached.set(text, { vector, at: vector === known?.vector ? known.at : now });
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > MAX_CACHED && oldest !== undefined) this.#cached.delete(oldest);
    return vector;
  }

  #embed(text: string): Promise<Float32Array> {
    const { embedder, patienceMs } = this.#options;
    const vector = within(patienceMs, embedder.embed([text], 'query')).then(([first]) => {
      if (!first) throw new EmbedFailure('malformed', 'no vector');
      return first;
    });
    // A failure is not cached.
    vector.catch(() => {
      if (this.#cached.get(text)?.vector === vector) this.#cached.delete(text);
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
