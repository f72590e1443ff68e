// Changes the listing of releases that become covered or canonical, many at once: a first fetch of a monorepo covers
// hundreds.

import { refreshFigures, refreshOrgCount } from '../../catalog/releases/figures.ts';
import { indexable } from '../../catalog/releases/full-text.ts';
import { listingOf } from '../../catalog/releases/release-columns.ts';
import { sourceById } from '../../catalog/resolve.ts';
import type { WriteContext } from '../../context.ts';
import { utcDay } from '../../domain/timestamps.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { pages } from './rows.ts';

// The canonical release by release id; null when the release is no longer covered.
export async function relistCovered(ctx: WriteContext, canonicals: ReadonlyMap<string, string | null>): Promise<void> {
  const bySource = new Map<string, ReleaseRow[]>();
  for (const part of pages([...canonicals.keys()])) {
    for (const row of await ctx.tx.selectFrom('releases').selectAll().where('id', 'in', part).execute()) {
      bySource.set(row.source_id, [...(bySource.get(row.source_id) ?? []), row]);
    }
  }
  const orgs = new Set<string>();
  for (const [sourceId, rows] of [...bySource].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const sourceInOrg = await sourceById(ctx, sourceId);
    if (!sourceInOrg) continue;
    const next = rows.map((row) => moved(row, canonicals.get(row.id) ?? null, sourceInOrg.visible));
    for (const { id, coverage_of, listing, indexed } of next) {
      await ctx.tx.updateTable('releases').set({ coverage_of, listing, indexed }).where('id', '=', id).execute();
    }
    const shown = next.filter(({ indexed }) => indexed === 1).sort((a, b) => a.doc_key - b.doc_key);
    if (shown.length > 0)
      await ctx.ports.fullText.write(
        ctx,
        shown.map((row) => indexable(row, sourceInOrg)),
      );
    const days = new Set(rows.flatMap(({ published_at }) => (published_at ? utcDay(published_at) : [])));
    await refreshFigures(ctx, { id: sourceId, visible: sourceInOrg.visible }, days);
    if (sourceInOrg.source.org_id) orgs.add(sourceInOrg.source.org_id);
  }
  for (const org of [...orgs].sort()) await refreshOrgCount(ctx, org);
}

function moved(row: ReleaseRow, canonical: string | null, visible: boolean): ReleaseRow {
  const listing = listingOf({ suppressed: row.suppressed, coverage_of: canonical }, visible);
  // Covered releases stay in the full-text index: both sides are found.
  return { ...row, coverage_of: canonical, listing, indexed: listing > 0 ? 1 : row.indexed };
}
