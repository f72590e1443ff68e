// From documents to rows: what changed is embedded, what is not wanted any more is removed, all in one transaction.
import { type Context, transact, type WriteContext } from '../../../context.ts';
import { textHash } from '../../../domain/embedding/document-text.ts';
import { bytesOf, dequantise } from '../../../domain/embedding/quantise.ts';
import { type Embedder, EmbedFailure } from '../embedder.ts';
import type { Document, DocumentSource } from './document.ts';
import { entityNumbers, type NewVector, removeVectors, type VectorSlot, writeVectors } from './write-vectors.ts';

export interface DocumentBatch {
  source: DocumentSource;
  documents: readonly Document[];
  strays: readonly number[];
  // True for documents that were not looked at before.
  fresh: boolean;
}

export interface EmbeddingTools {
  embedder: Embedder;
  space: string;
  dims: number;
  // True after the embedder has embedded a text, so that a later refusal is blamed on the text.
  proven: boolean;
}

interface StoredCounts {
  // Texts that the embedder was given; equal ones count once.
  embedded: number;
  written: number;
  removed: number;
}

// Throws an `EmbedFailure` when the embedder does not do its work.
export async function storeBatch(
  ctx: Context,
  { source, documents, strays }: DocumentBatch,
  { tools, signal }: { tools: EmbeddingTools; signal: AbortSignal },
): Promise<StoredCounts> {
  const { space } = tools;
  const slot: VectorSlot = { space, kind: source.kind };
  const stored = await storedHashes(ctx, slot, documents);
  const changed = documents.filter(({ ref, text }) => text !== null && stored.get(ref)?.hash !== textHash(text));
  const { vectors, embedded } = await vectorsOf(
    ctx,
    changed.map(({ text }) => text ?? ''),
    tools,
    signal,
  );
  const unwanted = documents.flatMap(({ ref, text }) => {
    const known = stored.get(ref);
    return text === null && known ? [known.key] : [];
  });
  await transact(
    ctx,
    async (inner) => {
      const written = changed.flatMap((document, at) => {
        const vector = vectors[at];
        return vector ? [{ document, vector }] : [];
      });
      const keys = await keysOf(
        inner,
        slot,
        written.map(({ document }) => document),
      );
      const rows = written.map(({ document, vector }): NewVector => {
        const { ref, text, tier } = document;
        return { key: keys.get(ref) ?? 0, ref, vector, textHash: textHash(text ?? ''), tier };
      });
      await writeVectors(inner, slot, rows);
      await removeVectors(inner, slot, [...unwanted, ...strays]);
      await source.mark(inner, documents);
    },
    'bookkeeping',
  );
  return { embedded, written: vectors.filter(Boolean).length, removed: unwanted.length + strays.length };
}

async function storedHashes(
  { store }: Context,
  { space, kind }: VectorSlot,
  documents: readonly Document[],
): Promise<Map<string, { key: number; hash: string }>> {
  if (documents.length === 0) return new Map();
  const keys = documents.flatMap(({ key }) => (key === null ? [] : [key]));
  const refs = documents.flatMap(({ key, ref }) => (key === null ? [ref] : []));
  const rows = await store.read
    .selectFrom('vectors')
    .select(['key', 'ref', 'text_hash'])
    .where('space', '=', space)
    .where('kind', '=', kind)
    .where('deleted', '=', 0)
    .where((eb) => (refs.length > 0 ? eb('ref', 'in', refs) : eb.and([store.dialect.amongKeys('key', keys)])))
    .execute();
  return new Map(rows.map(({ key, ref, text_hash }) => [ref, { key, hash: text_hash }]));
}

async function keysOf(
  ctx: WriteContext,
  { kind }: VectorSlot,
  documents: readonly Document[],
): Promise<Map<string, number>> {
  if (kind !== 'entity') return new Map(documents.map(({ ref, key }) => [ref, key ?? 0]));
  return entityNumbers(
    ctx,
    documents.map(({ ref }) => ref),
  );
}

// Equal texts have one vector: of each, one is embedded, unless the space has its vector already.
async function vectorsOf(
  ctx: Context,
  texts: readonly string[],
  tools: EmbeddingTools,
  signal: AbortSignal,
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
