// Stores derived fields that a model has reworded. The release itself does not change: no revision, no event, no new
// date.

import { type Context, transact } from '../../context.ts';
import { sourceById } from '../../entities/resolve.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { noteChange } from '../figures.ts';
import { writeReleaseText } from '../indexing/release-text.ts';
import { changesVerdict, notesColumns, unpinned } from '../release-columns.ts';
import { indexable } from './full-text.ts';

export type RefinedColumns = Partial<
  Pick<
    ReleaseRow,
    'summary' | 'title_short' | 'title_generated' | 'breaking' | 'migration_notes' | 'importance' | 'composition'
  >
>;

// Returns false when the release has changed since it was read, or when all of these fields are pinned.
export async function storeRefinedFields(
  ctx: Context,
  read: Pick<ReleaseRow, 'id' | 'source_id' | 'content_hash'>,
  refined: RefinedColumns,
): Promise<boolean> {
  const { migration_notes: notes, breaking } = refined;
  const columns = {
    ...refined,
    ...(notes === undefined ? {} : await notesColumns(ctx, notes)),
    // A model quotes the words that its verdict rests on.
    ...(breaking === undefined ? {} : ({ by_version: 0 } as const)),
  };
  return transact(
    ctx,
    async (ctx) => {
      await ctx.store.dialect.lock(ctx.tx, `source:${read.source_id}`);
      const stored = await ctx.tx.selectFrom('releases').selectAll().where('id', '=', read.id).executeTakeFirst();
      const sourceInOrg = await sourceById(ctx, read.source_id);
      if (!stored || !sourceInOrg || stored.content_hash !== read.content_hash) return false;
      const changes = unpinned(columns, stored);
      if (Object.keys(changes).length === 0) return false;
      await ctx.tx
        .updateTable('releases')
        .set({ ...changes, derived_by: 'model' })
        .where('id', '=', stored.id)
        .execute();
      const isJudged = changesVerdict(stored, { ...stored, ...changes });
      if (isJudged) await ctx.ports.webhooks.noteReclassified(ctx, [stored.id]);
      if (stored.indexed) await writeReleaseText(ctx, [indexable({ ...stored, ...changes }, sourceInOrg)]);
      await noteChange(ctx, read.source_id);
      return true;
    },
    'derived',
  );
}
