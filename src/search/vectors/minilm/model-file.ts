// The model as two files, a graph and its weights: written once into the data directory where the program does not bring them,
// then loaded by path, which takes a third of the memory.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MINILM } from './about.ts';
import type { ModelPackage } from './model-package.ts';
import { bertModel } from './onnx-graph.ts';
import { readSafetensors, SafetensorsWriter } from './safetensors.ts';

// The version of the graph. It is part of the file name, like the size of the weights, so that a change makes another file.
const GRAPH = 3;
export const ENCODER = { layers: 6, heads: 12, width: 384 };

interface ModelFiles {
  graph: string;
  weights: string;
}

export function modelFiles(folder: string, { weightsPath }: ModelPackage): ModelFiles {
  const stem = join(folder, `${MINILM.id}-${statSync(weightsPath).size}-${GRAPH}`);
  return { graph: `${stem}.onnx`, weights: `${stem}.safetensors` };
}

// The path of the graph. The files are written when they do not exist. Several processes may write them; the last complete ones
// stay, and all are equal.
export async function ensureModelFile(folder: string, model: ModelPackage): Promise<string> {
  if (model.graphPath !== null) return model.graphPath;
  const files = modelFiles(folder, model);
  if (!existsSync(files.graph) || !existsSync(files.weights)) await writeModelFiles(files, model);
  return files.graph;
}

// So that the next attempt writes them anew.
export async function removeModelFiles(folder: string, model: ModelPackage): Promise<void> {
  for (const path of Object.values(modelFiles(folder, model))) await rm(path, { force: true });
}

export async function writeModelFiles(
  { graph, weights }: ModelFiles,
  { weightsPath }: Pick<ModelPackage, 'weightsPath'>,
): Promise<void> {
  const writer = new SafetensorsWriter();
  const beside = { name: basename(weights), writer };
  const { parts } = bertModel(readSafetensors(readFileSync(weightsPath)), ENCODER, beside);
  await writeComplete(weights, writer.finish());
  await writeComplete(graph, parts);
}

async function writeComplete(path: string, parts: readonly Uint8Array[]): Promise<void> {
  mkdirSync(join(path, '..'), { recursive: true });
  const { temporary, file } = await createTemporary(path);
  try {
    await file.writeFile(parts);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, path);
}

async function createTemporary(path: string) {
  for (let attempt = 1; ; attempt += 1) {
    const temporary = `${path}.${process.pid}-${attempt}.part`;
    const file = await open(temporary, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return null;
      throw error;
    });
    if (file) return { temporary, file };
  }
}
