// Suppression and coverage add a release to the lists or remove it; all derived data is updated with it.

import type { WriteContext } from '../../context.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { sourceById } from '../../entities/resolve.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { refreshFigures, refreshOrgCount } from '../figures.ts';
import { removeReleaseText, writeReleaseText } from '../indexing/release-text.ts';
import { listingOf } from '../release-columns.ts';
import { refreshCoverageCounts } from './coverage-count.ts';
import { indexable } from './full-text.ts';

type Fact = Partial<Pick<ReleaseRow, 'suppressed' | 'suppressed_reason' | 'suppressed_by' | 'coverage_of'>>;

export async function changeListing(ctx: WriteContext, id: string, fact: Fact): Promise<boolean> {
  const stored = await ctx.tx.selectFrom('releases').selectAll().where('id', '=', id).executeTakeFirst();
  const sourceInOrg = stored && (await sourceById(ctx, stored.source_id));
  if (!stored || !sourceInOrg) return false;
  const next: ReleaseRow = { ...stored, ...fact };
  next.listing = listingOf(next, sourceInOrg.visible);
  next.indexed = next.listing > 0 ? 1 : 0;
  if (next.indexed) await writeReleaseText(ctx, [indexable(next, sourceInOrg)]);
  else if (stored.indexed) await removeReleaseText(ctx, [stored.doc_key]);
  await ctx.tx
    .updateTable('releases')
    .set({ ...fact, listing: next.listing, indexed: next.indexed })
    .where('id', '=', id)
    .execute();
  if (next.coverage_of) await refreshCoverageCounts(ctx, { ids: [next.coverage_of] });
  const days = new Set(stored.published_at ? [utcDay(stored.published_at)] : []);
  await refreshFigures(ctx, { id: sourceInOrg.source.id, visible: sourceInOrg.visible }, days);
  await refreshOrgCount(ctx, sourceInOrg.source.org_id);
  return true;
}
