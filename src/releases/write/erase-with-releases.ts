// Sources that are erased take their releases along; what other sources and the index hold of these follows.
import type { WriteContext } from '../../context.ts';
import { unindexChunks } from '../indexing/relist-chunks.ts';
import { changeListing } from './change-listing.ts';
import { refreshCoverageCounts } from './coverage-count.ts';
import { unindexReleases } from './full-text.ts';

export async function eraseWithReleases(
  ctx: WriteContext,
  sourceIds: readonly string[],
  erase: () => Promise<void>,
): Promise<void> {
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
  await erase();
  // A release that was coverage of an erased one is listed again, and the counts of other releases are updated.
  for (const link of links) {
    if (!sourceIds.includes(link.coverage_source)) await changeListing(ctx, link.coverage_id, { coverage_of: null });
  }
  const counted = links.filter((link) => !sourceIds.includes(link.canonical_source)).map((link) => link.canonical_id);
  await refreshCoverageCounts(ctx, { ids: counted });
}
