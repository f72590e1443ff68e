// The table of vectors. Every write gives the row a new `seq`. The row of the counter stays locked until the
// transaction ends, so numbers rise in the order of commits.
import { now, type WriteContext } from '../../../context.ts';
import { quantise } from '../../../domain/embedding/quantise.ts';
import type { VectorKind } from '../../../ports.ts';
import { addToCounter } from '../../../store/counters.ts';
import type { VectorRow } from '../../../store/schema/search.ts';

const SEQ = 'vector_seq';
const ENTITY_NUMBER = 'vector_entity';

export interface NewVector {
  key: number;
  ref: string;
  vector: Float32Array;
  textHash: string;
  tier: number;
}

export interface VectorSlot {
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
export async function entityNumbers(ctx: WriteContext, refs: readonly string[]): Promise<Map<string, number>> {
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
