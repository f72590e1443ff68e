// Figures of the whole registry, from the counters that writes maintain: no release is read.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { Stats } from '../../contract/stats.ts';
import { together } from '../../store/pipeline.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import { activeSources, firstDay, recentActivity, recentReleases } from '../sources/activity.ts';
import { visibleAmongAll, visibleProduct } from '../visible.ts';

const DAY_MS = 86_400_000;

type RegistryTotals = Stats['totals'];

export async function readStats(ctx: Context, { days }: { days: number }): Promise<Stats> {
  const cutoff = new Date(ctx.clock().getTime() - days * DAY_MS).toISOString();
  const [counts, active, recent] = await together([
    registryCounts(ctx),
    activeSources(ctx, { days, cutoff }),
    recentActivity(ctx),
  ]);
  return {
    orgs: counts.organizations,
    sources: counts.sources,
    products: counts.products,
    releases: counts.releases,
    period: { days, cutoff },
    totals: { ...counts, releasesInPeriod: active.releases },
    sourceHealth: active.health,
    sourceActivity: active.sources,
    recentActivity: recent,
  };
}

// The totals of the registry and the number of recent releases, without reading every source.
export async function readTotals(ctx: Context, { days }: { days: number }): Promise<RegistryTotals> {
  const since = firstDay(ctx, days);
  const recent = await sql<{ releases: number | null }>`SELECT SUM(${recentReleases(since)}) AS releases
    FROM source_figures f JOIN sources s ON s.id = f.source_id
    WHERE f.latest_date >= ${since} AND ${visibleAmongAll()}`.execute(queries(ctx));
  return { ...(await registryCounts(ctx)), releasesInPeriod: Number(recent.rows[0]?.releases ?? 0) };
}

type Counts = Omit<RegistryTotals, 'releasesInPeriod'>;

// Sums of the counters of each org; sources without an org are added separately.
const COUNTS = sql<Counts>`SELECT o.organizations AS organizations,
    o.sources + s.sources AS sources, o.releases + s.releases AS releases,
    (SELECT COUNT(*) FROM products p CROSS JOIN orgs o WHERE o.id = p.org_id AND ${visibleProduct()}) AS products
  FROM (SELECT COUNT(*) AS organizations, COALESCE(SUM(source_count), 0) AS sources,
      COALESCE(SUM(release_count), 0) AS releases
    FROM orgs WHERE deleted_at IS NULL AND is_hidden = 0) o
  CROSS JOIN (SELECT COUNT(*) AS sources, COALESCE(SUM(f.release_count), 0) AS releases
    FROM sources s LEFT JOIN source_figures f ON f.source_id = s.id
    WHERE s.org_id IS NULL AND s.deleted_at IS NULL AND s.is_hidden = 0) s ${ONE_PLAN}`;

async function registryCounts(ctx: Context): Promise<Counts> {
  const [row] = (await COUNTS.execute(queries(ctx))).rows;
  return {
    organizations: Number(row?.organizations),
    sources: Number(row?.sources),
    products: Number(row?.products),
    releases: Number(row?.releases),
  };
}
