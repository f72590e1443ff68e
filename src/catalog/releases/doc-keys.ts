// The keys of full-text rows: the minute of a release and a tie-breaker.
import type { WriteContext } from '../../context.ts';
import { docKey } from '../../domain/search-text/doc-key.ts';

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

export async function freeDocKeys(ctx: WriteContext, wanted: readonly number[]): Promise<number[]> {
  if (wanted.length === 0) return [];
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
