// Suppression and coverage move a release in or out of the lists; everything that shows it follows.
import type { WriteContext } from '../../context.ts';
import { utcDay } from '../../domain/timestamps.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { refreshCoverageCounts } from './coverage-count.ts';
import { refreshFigures, refreshOrgCount } from './figures.ts';
import { indexable } from './full-text.ts';
import { placeOf } from './relist.ts';
import { listingOf } from './row-builder.ts';

type Fact = Partial<Pick<ReleaseRow, 'suppressed' | 'suppressed_reason' | 'coverage_of'>>;

export async function changeListing(ctx: WriteContext, id: string, fact: Fact): Promise<boolean> {
  const stored = await ctx.tx.selectFrom('releases').selectAll().where('id', '=', id).executeTakeFirst();
  const place = stored && (await placeOf(ctx, stored.source_id));
  if (!stored || !place) return false;
  const next: ReleaseRow = { ...stored, ...fact };
  next.listing = listingOf(next, place.visible);
  next.indexed = next.listing > 0 ? 1 : 0;
  if (next.indexed) await ctx.ports.fullText.write(ctx, [indexable(next, place)]);
  else if (stored.indexed) await ctx.ports.fullText.remove(ctx, [stored.doc_key]);
  await ctx.tx
    .updateTable('releases')
    .set({ ...fact, listing: next.listing, indexed: next.indexed })
    .where('id', '=', id)
    .execute();
  if (next.coverage_of) await refreshCoverageCounts(ctx, { ids: [next.coverage_of] });
  const days = new Set(stored.published_at ? [utcDay(stored.published_at)] : []);
  await refreshFigures(ctx, { id: place.source.id, visible: place.visible }, days);
  await refreshOrgCount(ctx, place.source.org_id);
  return true;
}
