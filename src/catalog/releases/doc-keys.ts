// The keys of full-text rows: the minute of a release and a tie-breaker.
import type { WriteContext } from '../../context.ts';
import { docKey, TIE_BREAKERS } from '../../domain/search-text/doc-key.ts';

export function docKeyOf(publishedAt: string | null, fetchedAt: string, seq: number): number {
  return docKey(publishedAt ?? fetchedAt, seq);
}

// Two releases of the same minute can get the same key once 2^20 numbers are used; the later one takes the next free
// key.
export async function freeDocKey(ctx: WriteContext, wanted: number, ownId: string): Promise<number> {
  for (let key = wanted; ; key += 1) {
    const taken = await ctx.tx
      .selectFrom('releases')
      .select('id')
      .where('doc_key', '=', key)
      .where('id', '!=', ownId)
      .executeTakeFirst();
    if (!taken) return key;
  }
}

// `numbers` are those of the releases, of which the keys are made.
export async function freeDocKeys(
  ctx: WriteContext,
  { wanted, numbers }: { wanted: readonly number[]; numbers: readonly number[] },
): Promise<readonly number[]> {
  // As long as each number is a tie-breaker of its own no two keys are the same.
  if (numbers.every((number) => number < TIE_BREAKERS)) return wanted;
  const rows = await ctx.tx.selectFrom('releases').select('doc_key').where('doc_key', 'in', wanted).execute();
  const taken = new Set(rows.map((row) => row.doc_key));
  const result: number[] = [];
  for (const key of wanted) {
    let free = key;
    while (taken.has(free)) free = await freeDocKey(ctx, free + 1, '');
    taken.add(free);
    result.push(free);
  }
  return result;
}
