// An embeddings service on the loopback. Texts with common words are near each other, and a test can make it fail.
import { startOutsideWorld } from './outside-world.ts';

type Health = 'well' | 'down' | 'slow' | 'wrong size';

export interface EmbeddingsService {
  // The environment of an app that uses it.
  env: Record<string, string>;
  health: Health;
  // Every embedded text, in order.
  texts: string[];
  calls: number;
  close(): Promise<void>;
}

const DIMS = 48;

export async function startEmbeddings(name = 'words'): Promise<EmbeddingsService> {
  const world = await startOutsideWorld();
  const service: EmbeddingsService = {
    env: {
      REGISTRY_EMBEDDER: 'endpoint',
      REGISTRY_EMBED_URL: `${world.url}/v1`,
      REGISTRY_EMBED_NAME: name,
      REGISTRY_EGRESS_ALLOW: '127.0.0.1',
    },
    health: 'well',
    texts: [],
    calls: 0,
    close: () => world.close(),
  };
  world.route('/v1/embeddings', ({ body }) => {
    service.calls += 1;
    if (service.health === 'down') return { status: 400 };
    if (service.health === 'slow') return { hang: true };
    const { input } = JSON.parse(body) as { input: string[] };
    service.texts.push(...input);
    const dims = service.health === 'wrong size' ? DIMS + 1 : DIMS;
    return JSON.stringify({ data: input.map((text, index) => ({ index, embedding: wordVector(text, dims) })) });
  });
  return service;
}

// A bag of words, each with its own direction.
function wordVector(text: string, dims = DIMS): number[] {
  const sum = Array.from({ length: dims }, () => 0.001);
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
    let state = 7;
    for (let at = 0; at < word.length; at += 1) state = Math.imul(state ^ word.charCodeAt(at), 0x01000193) >>> 0;
    for (let at = 0; at < dims; at += 1) {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
      sum[at] = (sum[at] ?? 0) + (state / 2 ** 32 - 0.5);
    }
  }
  return sum;
}
