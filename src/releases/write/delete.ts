// Deletes a release. Its identity is remembered, so that the next fetch does not insert it again.

import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { recordAudit } from '../../entities/audit.ts';
import { sourceById } from '../../entities/resolve.ts';
import { findRelease } from '../detail.ts';
import { refreshFigures, refreshOrgCount } from '../figures.ts';
import { removeReleaseText } from '../indexing/release-text.ts';
import { changeListing } from './change-listing.ts';
import { refreshCoverageCounts } from './coverage-count.ts';

export async function deleteRelease(ctx: Context, { id }: { id: string }): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (!(await findRelease(ctx, id))) throw notFound('release', id);
    await deleteReleases(ctx, { ids: [id] });
  });
}

export async function deleteReleases(ctx: Context, { ids }: { ids: readonly string[] }): Promise<number> {
  return transact(ctx, async (ctx) => {
    let deleted = 0;
    for (const id of new Set(ids)) if (await deleteRow(ctx, id)) deleted += 1;
    return deleted;
  });
}

async function deleteRow(ctx: WriteContext, id: string): Promise<boolean> {
  const row = await findRelease(ctx, id);
  const sourceInOrg = row && (await sourceById(ctx, row.source_id));
  if (!row || !sourceInOrg) return false;
  // Releases that were coverage of the deleted one are listed again.
  const covered = await ctx.tx
    .selectFrom('release_coverage')
    .select('coverage_id')
    .where('canonical_id', '=', id)
    .execute();
  await ctx.tx
    .insertInto('deleted_releases')
    .values({ source_id: row.source_id, identity_key: row.identity_key, deleted_at: now(ctx) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (row.indexed) await removeReleaseText(ctx, [row.doc_key]);
  await ctx.tx.deleteFrom('releases').where('id', '=', id).execute();
  for (const { coverage_id } of covered) await changeListing(ctx, coverage_id, { coverage_of: null });
  if (row.coverage_of) await refreshCoverageCounts(ctx, { ids: [row.coverage_of] });
  const days = new Set(row.published_at ? [utcDay(row.published_at)] : []);
  await refreshFigures(ctx, { id: row.source_id, visible: sourceInOrg.visible }, days);
  await refreshOrgCount(ctx, sourceInOrg.source.org_id);
  await recordAudit(ctx, {
    action: 'release.delete',
    targetType: 'release',
    targetId: id,
    before: { title: row.title, version: row.version, url: row.url },
  });
  return true;
}
