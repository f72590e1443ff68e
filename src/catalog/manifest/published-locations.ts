// The locations where an org publishes, whether they are read by a source or only known.
import { type Context, queries } from '../../context.ts';
import type { Locator } from '../../contract/manifest.ts';
import type { OrgRow } from '../../store/schema.ts';
import { countedSources } from '../activity/counted-sources.ts';
import { locationRows } from '../orgs/locations.ts';
import { locationLocator, sourceLocator } from './locators.ts';

export interface PublishedLocation {
  id: string;
  productId: string | null;
  primary: boolean;
  releaseCount: number;
  locator: Locator;
}

// A stub has no sources yet, so its stored locations stand for them.
export async function publishedLocations(ctx: Context, org: OrgRow): Promise<PublishedLocation[]> {
  if (org.status === 'stub') {
    return (await locationRows(ctx, org.id)).flatMap((row) => {
      const locator = locationLocator(row);
      const location = { id: row.id, productId: row.product_id, primary: row.canonical === 1, releaseCount: 0 };
      return locator ? [{ ...location, locator }] : [];
    });
  }
  const sources = await countedSources(ctx, { orgId: org.id });
  const counts = await releaseCounts(
    ctx,
    sources.map((source) => source.id),
  );
  return sources.flatMap((source) => {
    const locator = sourceLocator(source);
    const location = { id: source.id, productId: source.product_id, primary: source.is_primary === 1 };
    return locator ? [{ ...location, releaseCount: counts.get(source.id) ?? 0, locator }] : [];
  });
}

async function releaseCounts(ctx: Context, sourceIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await queries(ctx)
    .selectFrom('source_figures')
    .select(['source_id', 'release_count'])
    .where('source_id', 'in', [...sourceIds, ''])
    .execute();
  return new Map(rows.map((row) => [row.source_id, row.release_count]));
}

// Most releases first.
export function byReleases(a: { id: string; releaseCount: number }, b: { id: string; releaseCount: number }): number {
  return b.releaseCount - a.releaseCount || (a.id < b.id ? -1 : 1);
}
