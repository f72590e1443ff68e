// The embedder that needs nothing but its package: MiniLM in a thread of this process.
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Embedder, EmbedFailure } from './embedder.ts';
import { MINILM } from './minilm/about.ts';
import { embedInThread } from './minilm/shared-thread.ts';

interface LocalEmbedderOptions {
  dataDir: string;
  log: Logger;
}

export function createLocalEmbedder({ dataDir, log }: LocalEmbedderOptions): Embedder {
  const surroundings = {
    modelFolder: join(dataDir, 'models'),
    onOpen: ({ engine, reason }: { engine: string; reason: string | null }) => {
      if (reason === null) log.info({ engine }, 'embedding engine opened');
      else log.warn({ engine, reason }, 'native embedding engine not available');
    },
  };
  return {
    id: MINILM.id,
    dims: MINILM.dims,
    weight: 1,
    batch: 16,
    async embed(texts, kind, signal) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (signal?.aborted) throw new EmbedFailure('aborted', 'not wanted any more');
        vectors.push(await embedInThread(text, { ...surroundings, background: kind === 'document' }));
      }
      return vectors;
    },
  };
}
