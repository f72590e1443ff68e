import type { Context } from '../../context.ts';
import type { Embedder } from './embedder.ts';
import { createEndpointEmbedder } from './endpoint-embedder.ts';
import { createLocalEmbedder } from './minilm/local-embedder.ts';

// The configured embedder; null when the operator wants none.
export function createEmbedder({ config, fetch, log }: Pick<Context, 'config' | 'fetch' | 'log'>): Embedder | null {
  const { embedder, dataDir } = config;
  switch (embedder.kind) {
    case 'off':
      return null;
    case 'local':
      return createLocalEmbedder({ dataDir, log });
    case 'endpoint':
      return createEndpointEmbedder(embedder, { fetch });
  }
}
