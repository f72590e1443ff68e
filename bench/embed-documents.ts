// Embeds documents of the demo as the service does, and as it would in single precision; tells what both took.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDemoRegistry } from '../src/demo/registry.ts';
import { releaseText } from '../src/domain/embedding/document-text.ts';
import { normalise } from '../src/domain/embedding/quantise.ts';
import { createWordPiece } from '../src/domain/embedding/word-piece.ts';
import { deriveNotes, plainText } from '../src/domain/notes/index.ts';
import { MINILM } from '../src/search/vectors/minilm/about.ts';
import { openNative, SESSION, sumOfRows } from '../src/search/vectors/minilm/engine.ts';
import { ENCODER } from '../src/search/vectors/minilm/model-file.ts';
import { MODEL } from '../src/search/vectors/minilm/model-package.ts';
import { bertModel, type MakeLayers, transposed } from '../src/search/vectors/minilm/onnx-graph.ts';
import { readSafetensors, SafetensorsWriter } from '../src/search/vectors/minilm/safetensors.ts';
import type { EmbeddingRates } from './embedding.ts';

const DOCUMENTS = 150;
const REFERENCE_TOKENS = 256;

type Embed = (text: string) => Promise<Float32Array>;

const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
try {
  const { embed } = await openNative(folder);
  const single = await openSingle(folder);
  const documents = sample();
  const texts = documents.map(({ text }) => text);
  const fast = await measured(embed, texts);
  const slow = await measured(
    (text) => single(text, REFERENCE_TOKENS),
    documents.map(({ reference }) => reference),
  );
  let cosine = 1;
  for (const [at, text] of texts.slice(0, 20).entries()) {
    const other = await single(text, MINILM.maxTokens);
    cosine = Math.min(
      cosine,
      fast.vectors[at]?.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0) ?? 0,
    );
  }
  const rates: EmbeddingRates = { documents: texts.length, rate: fast.rate, reference: slow.rate, cosine };
  if (!process.send) throw new Error('runs as a child process');
  process.send(rates, () => process.disconnect?.());
} finally {
  rmSync(folder, { recursive: true });
}

// What the demo holds, evenly over its sources.
function sample(): { text: string; reference: string }[] {
  const all = readDemoRegistry({ now: new Date() }).sources.flatMap(({ name, releases }) =>
    releases.map((release) => ({ name, release })),
  );
  const step = Math.floor(all.length / DOCUMENTS);
  return all
    .filter((_, at) => at % step === 0)
    .flatMap(({ name, release }) => {
      const { title, content = '', version = null } = release;
      const naming = { names: [name], displayName: name, versionNumbers: [], step: null, prerelease: false };
      const { summary } = deriveNotes({ ...naming, title, content, version, type: 'feature', origin: '' });
      const text = releaseText({ title, version, summary, content });
      const reference = [title, version, summary, plainText(content, 1_000)].filter(Boolean).join('\n');
      return text === null ? [] : [{ text, reference }];
    });
}

async function measured(embed: Embed, texts: readonly string[]): Promise<{ rate: number; vectors: Float32Array[] }> {
  await embed('The first text loads what is needed.');
  const vectors: Float32Array[] = [];
  const before = process.cpuUsage();
  for (const text of texts) vectors.push(await embed(text));
  const { user, system } = process.cpuUsage(before);
  return { rate: texts.length / ((user + system) / 1e6), vectors };
}

async function openSingle(into: string): Promise<(text: string, maxTokens: number) => Promise<Float32Array>> {
  const { InferenceSession, Tensor } = (await import('onnxruntime-node')).default;
  const path = join(into, 'single.onnx');
  const writer = new SafetensorsWriter();
  const weights = readSafetensors(readFileSync(MODEL.weightsPath));
  const { parts } = bertModel(weights, ENCODER, { name: 'single.safetensors', writer }, floats);
  writeFileSync(path, Buffer.concat(parts));
  writeFileSync(join(into, 'single.safetensors'), Buffer.concat(writer.finish()));
  const session = await InferenceSession.create(path, SESSION);
  const tokenizer = createWordPiece(JSON.parse(readFileSync(MODEL.tokenizerPath, 'utf8')).model.vocab);
  return async (text, maxTokens) => {
    const ids = tokenizer.encode(text, maxTokens);
    const output = await session.run({
      input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
    });
    return normalise(sumOfRows(output.last_hidden_state?.data as Float32Array, MINILM.dims));
  };
}

function floats(...[graph, weights]: Parameters<MakeLayers>): ReturnType<MakeLayers> {
  return {
    quantise: (values) => ({ values, scale: '', zeroPoint: '' }),
    apply({ values }, name) {
      const matrix = graph.tensor(`${name}.weight`, transposed(weights(`${name}.weight`)));
      const bias = graph.tensor(`${name}.bias`, weights(`${name}.bias`));
      return graph.node('Add', [graph.node('MatMul', [values, matrix]), bias]);
    },
  };
}
