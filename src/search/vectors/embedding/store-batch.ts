// Stores the vectors of a batch of documents: changed texts are embedded, unwanted vectors are removed, in one transaction.
import { type Context, now, transact, type WriteContext } from '../../../context.ts';
import { textHash } from '../../../domain/embedding/document-text.ts';
import { quantise } from '../../../domain/embedding/quantise.ts';
import type { VectorKind } from '../../../ports.ts';
import { addToCounter } from '../../../store/counters.ts';
import type { VectorRow } from '../../../store/schema/search.ts';
import type { Document, DocumentSource } from './document.ts';
import { type EmbeddingTools, vectorsOf } from './embed-texts.ts';

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

// The table of vectors. Every write gives the row a new `seq`. The row of the counter stays locked until the
// transaction ends, so numbers rise in the order of commits.

const SEQ = 'vector_seq';
const ENTITY_NUMBER = 'vector_entity';

interface NewVector {
  key: number;
  ref: string;
  vector: Float32Array;
  textHash: string;
  tier: number;
}

interface VectorSlot {
  space: string;
  kind: VectorKind;
}

export async function writeVectors(
  ctx: WriteContext,
  { space, kind }: VectorSlot,
  vectors: readonly NewVector[],
): Promise<void> {
  if (vectors.length === 0) return;
  const last = await addToCounter(ctx.tx, SEQ, vectors.length);
  for (const [index, { key, ref, vector, textHash, tier }] of vectors.entries()) {
    const { scale, data } = quantise(vector);
    const row: Omit<VectorRow, 'space' | 'kind' | 'key'> = {
      ref,
      seq: last - vectors.length + 1 + index,
      dims: data.length,
      scale,
      data: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
      text_hash: textHash,
      tier,
      deleted: 0,
      changed_at: now(ctx),
    };
    await ctx.tx
      .insertInto('vectors')
      .values({ space, kind, key, ...row })
      .onConflict((conflict) => conflict.columns(['space', 'kind', 'key']).doUpdateSet(row))
      .execute();
  }
}

// The rows stay for a while without their values, so that every index can apply the deletion.
export async function removeVectors(
  ctx: WriteContext,
  { space, kind }: VectorSlot,
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return;
  const last = await addToCounter(ctx.tx, SEQ, keys.length);
  for (const [index, key] of keys.entries()) {
    await ctx.tx
      .updateTable('vectors')
      .set({
        seq: last - keys.length + 1 + index,
        data: Buffer.alloc(0),
        text_hash: '',
        deleted: 1,
        changed_at: now(ctx),
      })
      .where('space', '=', space)
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('deleted', '=', 0)
      .execute();
  }
}

// An entity has one number in all spaces, given at its first vector.
async function entityNumbers(ctx: WriteContext, refs: readonly string[]): Promise<Map<string, number>> {
  if (refs.length === 0) return new Map();
  const known = await ctx.tx
    .selectFrom('vectors')
    .select(['ref', 'key'])
    .distinct()
    .where('kind', '=', 'entity')
    .where('ref', 'in', refs)
    .execute();
  const numbers = new Map(known.map(({ ref, key }) => [ref, key]));
  const fresh = refs.filter((ref) => !numbers.has(ref));
  if (fresh.length === 0) return numbers;
  const last = await addToCounter(ctx.tx, ENTITY_NUMBER, fresh.length);
  for (const [index, ref] of fresh.entries()) numbers.set(ref, last - fresh.length + 1 + index);
  return numbers;
}
