// Vectors of texts: equal texts are embedded once, and a text that the embedder refuses does not hold up the others.
import type { Context } from '../../../context.ts';
import { textHash } from '../../../domain/embedding/document-text.ts';
import { bytesOf, dequantise } from '../../../domain/embedding/quantise.ts';
import { type Embedder, EmbedFailure } from '../embedder.ts';

export interface EmbeddingTools {
  embedder: Embedder;
  space: string;
  dims: number;
  // True after the embedder has embedded a text, so that a later refusal is blamed on the text.
  proven: boolean;
}

// The vectors of texts. Equal texts share a vector, which is computed only when the space does not have it yet.
export async function vectorsOf(
  ctx: Context,
  { texts, tools, signal }: { texts: readonly string[]; tools: EmbeddingTools; signal: AbortSignal },
): Promise<{ vectors: (Float32Array | null)[]; embedded: number }> {
  const hashes = texts.map(textHash);
  const byHash = await storedVectors(ctx, tools, hashes);
  const missing = new Map(
    texts.map((text, at) => [hashes[at] ?? '', text] as const).filter(([hash]) => !byHash.has(hash)),
  );
  const made = await embedAll(tools, [...missing.values()], signal);
  for (const [at, hash] of [...missing.keys()].entries()) byHash.set(hash, made[at] ?? null);
  return { vectors: hashes.map((hash) => byHash.get(hash) ?? null), embedded: made.filter(Boolean).length };
}

async function storedVectors(
  { store }: Context,
  { space, dims }: EmbeddingTools,
  hashes: readonly string[],
): Promise<Map<string, Float32Array | null>> {
  if (hashes.length === 0) return new Map();
  const rows = await store.read
    .selectFrom('vectors')
    .select(['text_hash', 'scale', 'data'])
    .where('space', '=', space)
    .where('text_hash', 'in', [...new Set(hashes)])
    .where('deleted', '=', 0)
    .where('dims', '=', dims)
    .execute();
  return new Map(rows.map(({ text_hash, scale, data }) => [text_hash, dequantise({ scale, data: bytesOf(data) })]));
}

// A text that the embedder refuses must not hold up the others.
async function embedAll(
  tools: EmbeddingTools,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(Float32Array | null)[]> {
  if (texts.length === 0) return [];
  try {
    return await embedChecked(tools, texts, signal);
  } catch (error) {
    if (!isRefusal(error) || !tools.proven) throw error;
  }
  const vectors: (Float32Array | null)[] = [];
  for (const text of texts) {
    const [vector = null] = await embedChecked(tools, [text], signal).catch((error) => {
      if (isRefusal(error)) return [];
      throw error;
    });
    vectors.push(vector);
  }
  return vectors;
}

function isRefusal(error: unknown): boolean {
  return error instanceof EmbedFailure && error.code === 'failed';
}

async function embedChecked(
  tools: EmbeddingTools,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const vectors = await tools.embedder.embed(texts, 'document', signal);
  const other = vectors.find((vector) => vector.length !== tools.dims);
  if (other) throw new EmbedFailure('malformed', `${other.length} values instead of ${tools.dims}`);
  tools.proven = true;
  return vectors;
}
