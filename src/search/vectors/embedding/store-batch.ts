// Stores the vectors of a batch of documents: changed texts are embedded, unwanted vectors are removed, in one transaction.
import { type Context, transact, type WriteContext } from '../../../context.ts';
import { textHash } from '../../../domain/embedding/document-text.ts';
import type { Document, DocumentSource } from './document.ts';
import { type EmbeddingTools, vectorsOf } from './embed-texts.ts';
import { entityNumbers, type NewVector, removeVectors, type VectorSlot, writeVectors } from './write-vectors.ts';

export interface DocumentBatch {
  source: DocumentSource;
  documents: readonly Document[];
  strays: readonly number[];
  // True for documents that were not processed before.
  fresh: boolean;
}

interface StoredCounts {
  // Texts that the embedder was given; equal ones count once.
  embedded: number;
  written: number;
  removed: number;
}

// Throws an `EmbedFailure` when the embedder fails.
export async function storeBatch(
  ctx: Context,
  { source, documents, strays }: DocumentBatch,
  { tools, signal }: { tools: EmbeddingTools; signal: AbortSignal },
): Promise<StoredCounts> {
  const { space } = tools;
  const slot: VectorSlot = { space, kind: source.kind };
  const stored = await storedHashes(ctx, slot, documents);
  const changed = documents.filter(({ ref, text }) => text !== null && stored.get(ref)?.hash !== textHash(text));
  const { vectors, embedded } = await vectorsOf(ctx, {
    texts: changed.map(({ text }) => text ?? ''),
    tools,
    signal,
  });
  const unwanted = documents.flatMap(({ ref, text }) => {
    const known = stored.get(ref);
    return text === null && known ? [known.key] : [];
  });
  await transact(
    ctx,
    async (ctx) => {
      const written = changed.flatMap((document, at) => {
        const vector = vectors[at];
        return vector ? [{ document, vector }] : [];
      });
      const keys = await keysOf(
        ctx,
        slot,
        written.map(({ document }) => document),
      );
      const rows = written.map(({ document, vector }): NewVector => {
        const { ref, text, tier } = document;
        return { key: keys.get(ref) ?? 0, ref, vector, textHash: textHash(text ?? ''), tier };
      });
      await writeVectors(ctx, slot, rows);
      await removeVectors(ctx, slot, [...unwanted, ...strays]);
      await source.mark(ctx, documents);
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
