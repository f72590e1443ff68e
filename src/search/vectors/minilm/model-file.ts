// The model as a file: written once into the data directory, then loaded by path, which takes a third of the memory.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bertModel } from './onnx-graph.ts';
import { readSafetensors } from './safetensors.ts';

// The version of the graph. It is part of the file name, like the size of the weights, so that a change makes another file.
const GRAPH = 2;
export const ENCODER = { layers: 6, heads: 12, width: 384 };

interface ModelSource {
  id: string;
  weightsPath: string;
}

export function modelPath(folder: string, { id, weightsPath }: ModelSource): string {
  return join(folder, `${id}-${statSync(weightsPath).size}-${GRAPH}.onnx`);
}

// The path of the file, which is written when it does not exist. Several processes may write it; the last complete one stays.
export async function ensureModelFile(folder: string, source: ModelSource): Promise<string> {
  const path = modelPath(folder, source);
  if (!existsSync(path)) await writeModelFile(path, folder, source);
  return path;
}

async function writeModelFile(path: string, folder: string, { weightsPath }: ModelSource): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const model = bertModel(readSafetensors(readFileSync(weightsPath)), ENCODER);
  const { temporary, file } = await createTemporary(path);
  try {
    await file.writeFile(model.parts);
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
