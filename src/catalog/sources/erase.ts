// Takes sources out of the database with everything that hangs on them, full-text rows and coverage links included.
import type { WriteContext } from '../../context.ts';
import { changeListing } from '../releases/change-listing.ts';
import { refreshCoverageCounts } from '../releases/coverage-count.ts';
import { unindexReleases } from '../releases/full-text.ts';

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
  await ctx.ports.chunks.erase(ctx, sourceIds);
  await ctx.tx.deleteFrom('sources').where('id', 'in', sourceIds).execute();
  await ctx.ports.subscriptions.dropTargets(ctx, { sourceIds });
  // What only covered an erased release stands for itself again, and the rest of the world counts anew.
  for (const link of links) {
    if (!sourceIds.includes(link.coverage_source)) await changeListing(ctx, link.coverage_id, { coverage_of: null });
  }
  const counted = links.filter((link) => !sourceIds.includes(link.canonical_source)).map((link) => link.canonical_id);
  await refreshCoverageCounts(ctx, { ids: counted });
}
