// The embedder that needs nothing but its package: MiniLM in one thread of this process, opened at the first text and ended
// with the process.
import { join } from 'node:path';
import type { Logger } from 'pino';
import { besideCaller } from '../../../threads/beside-caller.ts';
import { ThreadCalls } from '../../../threads/calls.ts';
import { type Embedder, EmbedFailure } from '../embedder.ts';
import { MINILM } from './about.ts';

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

interface EngineOpened {
  engine: 'native' | 'wasm';
  // The error that prevented the native engine from loading.
  reason: string | null;
}

interface EmbedThreadOptions {
  modelFolder: string;
  // True when nobody waits for the answers. The first text of the process decides the priority of the thread.
  background: boolean;
  onOpen: (opened: EngineOpened) => void;
}

let current: ThreadCalls<EngineOpened> | null = null;

async function embedInThread(text: string, options: EmbedThreadOptions): Promise<Float32Array> {
  current ??= openThread(options);
  try {
    return await current.ask<Float32Array>({ text });
  } catch (error) {
    throw new EmbedFailure('failed', String(error));
  }
}

function openThread({ modelFolder, background, onOpen }: EmbedThreadOptions): ThreadCalls<EngineOpened> {
  return new ThreadCalls('model', besideCaller(import.meta.url, 'thread'), {
    workerData: { modelFolder, background },
    onNotice: onOpen,
    onEnd: () => {
      current = null;
    },
  });
}
