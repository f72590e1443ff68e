// The worker's task of search by meaning: it makes vectors of new and changed texts and removes unused ones.
import { createEmbedding } from '../search/vectors/embedding/pass.ts';
import { sweepVectors } from '../search/vectors/embedding/sweep.ts';
import type { BackgroundTask } from './worker.ts';

const EMBED_MS = 5_000;
const SWEEP_MS = 3_600_000;

export function createEmbeddingTasks(): readonly BackgroundTask[] {
  const embedding = createEmbedding();
  return [
    {
      name: 'embed',
      everyMs: EMBED_MS,
      run: async (ctx, signal) => ((await embedding.pass(ctx, signal)) ? 'more' : 'idle'),
    },
    { name: 'sweep vectors', everyMs: SWEEP_MS, run: async (ctx) => ((await sweepVectors(ctx)) ? 'more' : 'idle') },
  ];
}
