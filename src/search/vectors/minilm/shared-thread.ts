// The one embedding thread of this process, whoever asks: opened at the first text, ended with the process.
import { EmbedFailure } from '../embedder.ts';
import { besideCaller, ThreadCalls } from '../thread-calls.ts';

interface EngineOpened {
  engine: 'native' | 'wasm';
  /** What kept the native one from loading. */
  reason: string | null;
}

interface EmbedThreadOptions {
  modelFolder: string;
  /** Nobody waits for its answers; the first text of the process decides for the thread. */
  background: boolean;
  onOpen: (opened: EngineOpened) => void;
}

let current: ThreadCalls | null = null;

export async function embedInThread(text: string, options: EmbedThreadOptions): Promise<Float32Array> {
  current ??= openThread(options);
  try {
    return await current.ask<Float32Array>({ text });
  } catch (error) {
    throw new EmbedFailure('failed', String(error));
  }
}

function openThread({ modelFolder, background, onOpen }: EmbedThreadOptions): ThreadCalls {
  return new ThreadCalls(besideCaller(import.meta.url, 'thread'), {
    workerData: { modelFolder, background },
    onNotice: (opened) => onOpen(opened as EngineOpened),
    onEnd: () => {
      current = null;
    },
  });
}
