// Updates the full-text rows of releases, whose keys are the minute of a release and a tie-breaker.
import type { WriteContext } from '../../context.ts';
import { docKey, TIE_BREAKERS } from '../../domain/search-text/doc-key.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import type { IndexableRelease } from '../../ports.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { removeReleaseText, writeReleaseText } from '../indexing/release-text.ts';

const CHUNK = 500;

export function indexable(row: ReleaseRow, sourceInOrg: SourceInOrg): IndexableRelease {
  return {
    ...row,
    kind: sourceInOrg.source.kind ?? sourceInOrg.product?.kind ?? null,
    sourceType: sourceInOrg.source.type,
    productName: sourceInOrg.product?.name ?? null,
  };
}

// Every visible release of a source, in ascending key order, which the index writes fastest.
export async function indexReleases(ctx: WriteContext, sourceInOrg: SourceInOrg): Promise<void> {
  let after = -1;
  for (;;) {
    const rows = await ctx.tx
      .selectFrom('releases')
      .selectAll()
      .where('source_id', '=', sourceInOrg.source.id)
      .where('listing', '>', 0)
      .where('doc_key', '>', after)
      .orderBy('doc_key')
      .limit(CHUNK)
      .execute();
    const last = rows.at(-1);
    if (!last) break;
    await writeReleaseText(
      ctx,
      rows.map((row) => indexable(row, sourceInOrg)),
    );
    after = last.doc_key;
  }
  await ctx.tx
    .updateTable('releases')
    .set({ indexed: 1 })
    .where('source_id', '=', sourceInOrg.source.id)
    .where('listing', '>', 0)
    .execute();
}

export async function unindexReleases(ctx: WriteContext, sourceId: string): Promise<void> {
  const rows = await ctx.tx
    .selectFrom('releases')
    .select('doc_key')
    .where('source_id', '=', sourceId)
    .where('indexed', '=', 1)
    .execute();
  await removeReleaseText(
    ctx,
    rows.map((row) => row.doc_key),
  );
  await ctx.tx.updateTable('releases').set({ indexed: 0 }).where('source_id', '=', sourceId).execute();
}

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
