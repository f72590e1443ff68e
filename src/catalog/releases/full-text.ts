// Updates the full-text rows of releases.

import type { WriteContext } from '../../context.ts';
import { removeReleaseText, writeReleaseText } from '../../indexing/release-text.ts';
import type { IndexableRelease } from '../../ports.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import type { SourceInOrg } from '../resolve.ts';

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
