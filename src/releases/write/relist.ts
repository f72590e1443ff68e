// When a source, its product or its org is hidden, moved, deleted, restored or relabelled, the copied columns of its
// releases are updated in the same transaction, together with full-text rows, coverage counts and figures.

import type { WriteContext } from '../../context.ts';
import { type SourceInOrg, sourceById } from '../../entities/resolve.ts';
import { refreshFigures, refreshOrgCount } from '../figures.ts';
import { relistChunks } from '../indexing/relist-chunks.ts';
import { effectiveCategory } from '../release-columns.ts';
import { refreshCoverageCounts } from './coverage-count.ts';
import { indexReleases, unindexReleases } from './full-text.ts';

export async function relistSources(ctx: WriteContext, sourceIds: readonly string[]): Promise<void> {
  const orgs = new Set<string>();
  // The same lock as for writers of releases, so that the second one sees the changes of the first.
  for (const id of [...sourceIds].sort()) {
    await ctx.store.dialect.lock(ctx.tx, `source:${id}`);
    const sourceInOrg = await sourceById(ctx, id);
    if (!sourceInOrg) continue;
    await relistSource(ctx, sourceInOrg);
    if (sourceInOrg.source.org_id) orgs.add(sourceInOrg.source.org_id);
  }
  for (const org of orgs) await refreshOrgCount(ctx, org);
}

async function relistSource(ctx: WriteContext, sourceInOrg: SourceInOrg): Promise<void> {
  const { source, visible } = sourceInOrg;
  await ctx.tx
    .updateTable('releases')
    .set((eb) => ({
      org_id: source.org_id,
      product_id: source.product_id,
      effective_category: effectiveCategory(sourceInOrg),
      listing: eb
        .case()
        .when('suppressed', '=', 1)
        .then(0)
        .when('coverage_of', 'is not', null)
        .then(visible ? 1 : -1)
        .else(visible ? 2 : -2)
        .end(),
    }))
    .where('source_id', '=', source.id)
    .execute();
  if (visible) await indexReleases(ctx, sourceInOrg);
  else await unindexReleases(ctx, source.id);
  await relistChunks(ctx, sourceInOrg);
  await refreshCoverageCounts(ctx, { coveredIn: source.id });
  await refreshFigures(ctx, { id: source.id, visible });
}
