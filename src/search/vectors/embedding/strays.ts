// Vectors whose documents no longer exist.
import type { Context } from '../../../context.ts';
import type { VectorKind } from '../../../ports.ts';

interface VectorKeyRange {
  space: string;
  kind: VectorKind;
  after: number;
  // Null for a range without an upper end.
  last: number | null;
}

const MOST = 2_000;

export async function straysBetween(
  { store }: Context,
  { space, kind, after, last }: VectorKeyRange,
  existing: (keys: readonly number[]) => Promise<{ key: number }[]>,
): Promise<number[]> {
  let query = store.read
    .selectFrom('vectors')
    .select('key')
    .where('space', '=', space)
    .where('kind', '=', kind)
    .where('key', '>', after)
    .where('deleted', '=', 0);
  if (last !== null) query = query.where('key', '<=', last);
  const keys = (await query.orderBy('key').limit(MOST).execute()).map(({ key }) => key);
  if (keys.length === 0) return [];
  const there = new Set((await existing(keys)).map(({ key }) => key));
  return keys.filter((key) => !there.has(key));
}
