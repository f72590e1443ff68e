import { expressionBuilder } from 'kysely';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { conflict, notFound } from '../../contract/errors.ts';
import type { SourceRowShape } from '../../contract/source.ts';
import { refreshOrgCount } from '../../releases/figures.ts';
import { unindexChunks } from '../../releases/indexing/relist-chunks.ts';
import { changeListing } from '../../releases/write/change-listing.ts';
import { refreshCoverageCounts } from '../../releases/write/coverage-count.ts';
import { unindexReleases } from '../../releases/write/full-text.ts';
import { relistSources } from '../../releases/write/relist.ts';
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
    await relistSources(ctx, [source.id]);
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
    await refreshOrgCount(ctx, row.org_id);
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
      await relistSources(ctx, [id]);
      await recordAudit(ctx, { action: 'source.restore', targetType: 'source', targetId: id });
    }
    const restored = await ctx.tx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return oneSourceRow(ctx, restored);
  });
}

// Deletes sources with all dependent rows, full-text rows and coverage links included.
export async function eraseSources(ctx: WriteContext, sourceIds: readonly string[]): Promise<void> {
  if (sourceIds.length === 0) return;
  const links = await ctx.tx
    .selectFrom('release_coverage as l')
    .innerJoin('releases as coverage', 'coverage.id', 'l.coverage_id')
    .innerJoin('releases as canonical', 'canonical.id', 'l.canonical_id')
    .select(['l.coverage_id', 'l.canonical_id'])
    .select(['coverage.source_id as coverage_source', 'canonical.source_id as canonical_source'])
    .where((eb) => eb.or([eb('coverage.source_id', 'in', sourceIds), eb('canonical.source_id', 'in', sourceIds)]))
    .execute();
  for (const id of sourceIds) await unindexReleases(ctx, id);
  await unindexChunks(ctx, sourceIds);
  await askAboutMappedAgain(ctx, expressionBuilder<Schema, 'packages'>()('source_id', 'in', sourceIds));
  await ctx.tx.deleteFrom('sources').where('id', 'in', sourceIds).execute();
  await ctx.ports.webhooks.dropTargets(ctx, { sourceIds });
  // A release that was coverage of an erased one is listed again, and the counts of other releases are updated.
  for (const link of links) {
    if (!sourceIds.includes(link.coverage_source)) await changeListing(ctx, link.coverage_id, { coverage_of: null });
  }
  const counted = links.filter((link) => !sourceIds.includes(link.canonical_source)).map((link) => link.canonical_id);
  await refreshCoverageCounts(ctx, { ids: counted });
}
