// Runs the model: natively where that library loads, with weights as bytes, else as WebAssembly in single precision. Both
// give vectors of one space (cosine 0.98 and more).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { normalise } from '../../../domain/embedding/quantise.ts';
import { createWordPiece } from '../../../domain/embedding/word-piece.ts';
import { packageFile } from '../../../package-file.ts';
import { MINILM } from './about.ts';
import { halfPrecision } from './int8-weights.ts';
import { ensureModelFile, removeModelFiles } from './model-file.ts';
import { MODEL, type ModelPackage } from './model-package.ts';

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
    return openWasm(MODEL);
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

export async function openNative(modelFolder: string, model = MODEL): Promise<EmbeddingEngine> {
  const { InferenceSession, Tensor } = (await import('onnxruntime-node')).default;
  const tokenizer = createWordPiece(JSON.parse(readFileSync(model.tokenizerPath, 'utf8')).model.vocab);
  const open = async () => InferenceSession.create(await ensureModelFile(modelFolder, model), SESSION);
  const session = await open().catch(async (error) => {
    if (model.graphPath !== null) throw error;
    // Files that cannot be loaded are rebuilt once.
    await removeModelFiles(modelFolder, model);
    return open();
  });
  return {
    name: 'native',
    async embed(text) {
      const ids = tokenizer.encode(text, MINILM.maxTokens);
      const input = new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]);
      const output = await session.run({ input_ids: input });
      return normalise(sumOfRows(output.last_hidden_state?.data as Float32Array, MINILM.dims));
    },
  };
}

interface WasmEngine {
  embed(texts: string[]): number[][];
}

type MakeWasmEngine = new (
  weights: Uint8Array,
  tokenizer: Uint8Array,
  config: Uint8Array,
  maxTokens: number,
) => WasmEngine;

// The engine of the package is taken without the code around it, which reads weights from a path and starts threads.
export async function openWasm({ weightsPath, tokenizerPath, configPath }: ModelPackage): Promise<EmbeddingEngine> {
  const path = join(packageFile('@lat.md/embed', 'dist'), 'engine.cjs');
  const { Embedder }: { Embedder: MakeWasmEngine } = createRequire(import.meta.url)(path);
  const [tokenizer, config] = [readFileSync(tokenizerPath), readFileSync(configPath)];
  const engine = new Embedder(halfPrecision(readFileSync(weightsPath)), tokenizer, config, MINILM.maxTokens);
  return {
    name: 'wasm',
    async embed(text) {
      const [vector] = engine.embed([text]);
      if (vector?.length !== MINILM.dims) throw new Error('the engine gave no vector');
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
