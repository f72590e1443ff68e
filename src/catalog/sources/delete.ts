import { type Context, now, transact } from '../../context.ts';
import { conflict, notFound } from '../../contract/errors.ts';
import type { SourceRowShape } from '../../contract/source.ts';
import { recordAudit } from '../audit.ts';
import { requireHardDeletion } from '../hard-deletion.ts';
import type { Deletion } from '../orgs/delete.ts';
import { refreshOrgCount } from '../releases/figures.ts';
import { relistSources } from '../releases/relist.ts';
import { resolveSource, type SourcePath } from '../resolve.ts';
import { lockChildSlugs } from '../slug-claim.ts';
import { eraseSources } from './erase.ts';
import { oneSourceRow } from './source-fields.ts';

export function deleteSource(ctx: Context, path: SourcePath, input: { hard: boolean }): Promise<Deletion> {
  return input.hard ? eraseSource(ctx, path) : softDeleteSource(ctx, path);
}

async function softDeleteSource(ctx: Context, path: SourcePath): Promise<Deletion> {
  return transact(ctx, async (inner) => {
    const { source } = await resolveSource(inner, path);
    const deletedAt = now(inner);
    await inner.tx.updateTable('sources').set({ deleted_at: deletedAt }).where('id', '=', source.id).execute();
    await relistSources(inner, [source.id]);
    await inner.ports.subscriptions.dropTargets(inner, { sourceIds: [source.id] });
    await recordAudit(inner, {
      action: 'source.delete',
      targetType: 'source',
      targetId: source.id,
      before: { slug: source.slug, url: source.url },
    });
    return { deleted: true, deletedAt };
  });
}

// Final, so it takes an id; it also reaches what was deleted before.
async function eraseSource(ctx: Context, path: SourcePath): Promise<Deletion> {
  const id = 'src' in path ? path.src : path.source;
  requireHardDeletion(ctx, { prefix: 'src', value: id });
  return transact(ctx, async (inner) => {
    const row = await inner.tx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound('source', id);
    await eraseSources(inner, [id]);
    await refreshOrgCount(inner, row.org_id);
    await recordAudit(inner, {
      action: 'source.erase',
      targetType: 'source',
      targetId: id,
      before: { slug: row.slug, url: row.url },
    });
    return { deleted: true, hard: true };
  });
}

export async function restoreSource(ctx: Context, id: string): Promise<SourceRowShape> {
  return transact(ctx, async (inner) => {
    const row = await inner.tx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound('source', id);
    if (row.deleted_at !== null) {
      await lockChildSlugs(inner, row.org_id);
      const taken = await inner.tx
        .selectFrom('sources')
        .select('id')
        .where('slug', '=', row.slug)
        .where('org_id', row.org_id === null ? 'is' : '=', row.org_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (taken) throw conflict('slug', row.slug, taken.id);
      await inner.tx
        .updateTable('sources')
        .set({ deleted_at: null, updated_at: now(inner) })
        .where('id', '=', id)
        .execute();
      await relistSources(inner, [id]);
      await recordAudit(inner, { action: 'source.restore', targetType: 'source', targetId: id });
    }
    const restored = await inner.tx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return oneSourceRow(inner, restored);
  });
}
