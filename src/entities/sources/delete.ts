import { expressionBuilder } from 'kysely';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { conflict, notFound } from '../../contract/errors.ts';
import type { SourceRowShape } from '../../contract/source.ts';
import type { Schema } from '../../store/schema/index.ts';
import { recordAudit } from '../audit.ts';
import { type Deletion, requireHardDeletion } from '../hard-deletion.ts';
import { askAboutMappedAgain } from '../packages/ask-again.ts';
import { resolveSource, type SourcePath } from '../resolve.ts';
import { lockChildSlugs } from '../slug-claim.ts';
import { oneSourceRow } from './source-fields.ts';

export function deleteSource(ctx: Context, input: { path: SourcePath; hard: boolean }): Promise<Deletion> {
  return input.hard ? eraseSource(ctx, input.path) : softDeleteSource(ctx, input.path);
}

async function softDeleteSource(ctx: Context, path: SourcePath): Promise<Deletion> {
  return transact(ctx, async (ctx) => {
    const { source } = await resolveSource(ctx, path);
    const deletedAt = now(ctx);
    await ctx.tx.updateTable('sources').set({ deleted_at: deletedAt }).where('id', '=', source.id).execute();
    await ctx.ports.releases.relist(ctx, [source.id]);
    await ctx.ports.webhooks.dropTargets(ctx, { sourceIds: [source.id] });
    await recordAudit(ctx, {
      action: 'source.delete',
      targetType: 'source',
      targetId: source.id,
      before: { slug: source.slug, url: source.url },
    });
    return { deleted: true, deletedAt };
  });
}

// A hard deletion takes an id; it also finds soft-deleted sources.
async function eraseSource(ctx: Context, path: SourcePath): Promise<Deletion> {
  const id = 'src' in path ? path.src : path.source;
  requireHardDeletion(ctx, { prefix: 'src', value: id });
  return transact(ctx, async (ctx) => {
    const row = await ctx.tx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound('source', id);
    await eraseSources(ctx, [id]);
    await ctx.ports.releases.countOrg(ctx, row.org_id);
    await recordAudit(ctx, {
      action: 'source.erase',
      targetType: 'source',
      targetId: id,
      before: { slug: row.slug, url: row.url },
    });
    return { deleted: true, hard: true };
  });
}

export async function restoreSource(ctx: Context, id: string): Promise<SourceRowShape> {
  return transact(ctx, async (ctx) => {
    const row = await ctx.tx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound('source', id);
    if (row.deleted_at !== null) {
      await lockChildSlugs(ctx, row.org_id);
      const taken = await ctx.tx
        .selectFrom('sources')
        .select('id')
        .where('slug', '=', row.slug)
        .where('org_id', row.org_id === null ? 'is' : '=', row.org_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (taken) throw conflict('slug', row.slug, taken.id);
      await ctx.tx
        .updateTable('sources')
        .set({ deleted_at: null, updated_at: now(ctx) })
        .where('id', '=', id)
        .execute();
      await ctx.ports.releases.relist(ctx, [id]);
      await recordAudit(ctx, { action: 'source.restore', targetType: 'source', targetId: id });
    }
    const restored = await ctx.tx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return oneSourceRow(ctx, restored);
  });
}

// Deletes sources with all dependent rows, full-text rows and coverage links included.
export async function eraseSources(ctx: WriteContext, sourceIds: readonly string[]): Promise<void> {
  if (sourceIds.length === 0) return;
  await ctx.ports.releases.erase(ctx, sourceIds, async () => {
    await askAboutMappedAgain(ctx, expressionBuilder<Schema, 'packages'>()('source_id', 'in', sourceIds));
    await ctx.tx.deleteFrom('sources').where('id', 'in', sourceIds).execute();
    await ctx.ports.webhooks.dropTargets(ctx, { sourceIds });
  });
}
