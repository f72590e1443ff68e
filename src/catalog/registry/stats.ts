// Figures of the whole registry, from the counters that writes maintain: no release is read.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { Stats } from '../../contract/stats.ts';
import { visibleProduct } from '../visible.ts';
import { activeSources, firstDay, recentActivity, recentReleases, shownSources } from './source-activity.ts';

const DAY_MS = 86_400_000;

type RegistryTotals = Stats['totals'];

export async function readStats(ctx: Context, { days }: { days: number }): Promise<Stats> {
  const cutoff = new Date(ctx.clock().getTime() - days * DAY_MS).toISOString();
  const counts = await registryCounts(ctx);
  const active = await activeSources(ctx, { days, cutoff });
  return {
    orgs: counts.organizations,
    sources: counts.sources,
    products: counts.products,
    releases: counts.releases,
    period: { days, cutoff },
    totals: { ...counts, releasesInPeriod: active.releases },
    sourceHealth: active.health,
    sourceActivity: active.sources,
    recentActivity: await recentActivity(ctx),
  };
}

// The totals of the registry and the number of recent releases, without reading every source.
export async function readTotals(ctx: Context, { days }: { days: number }): Promise<RegistryTotals> {
  const since = firstDay(ctx, days);
  const recent = await shownSources(ctx)
    .innerJoin('source_figures as f', 'f.source_id', 's.id')
    .select(sql<number | null>`SUM(${recentReleases(since)})`.as('releases'))
    .where('f.latest_date', '>=', since)
    .executeTakeFirstOrThrow();
  return { ...(await registryCounts(ctx)), releasesInPeriod: Number(recent.releases ?? 0) };
}

// Sums of the counters of each org; sources without an org are added separately.
async function registryCounts(ctx: Context): Promise<Omit<RegistryTotals, 'releasesInPeriod'>> {
  const orgs = await queries(ctx)
    .selectFrom('orgs')
    .select(({ fn }) => [
      fn.countAll<number>().as('orgs'),
      fn.sum<number | null>('source_count').as('sources'),
      fn.sum<number | null>('release_count').as('releases'),
    ])
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0)
    .executeTakeFirstOrThrow();
  const alone = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select(({ fn }) => [fn.countAll<number>().as('sources'), fn.sum<number | null>('f.release_count').as('releases')])
    .where('s.org_id', 'is', null)
    .where('s.deleted_at', 'is', null)
    .where('s.is_hidden', '=', 0)
    .executeTakeFirstOrThrow();
  return {
    organizations: Number(orgs.orgs),
    sources: Number(orgs.sources ?? 0) + Number(alone.sources),
    products: await countProducts(ctx),
    releases: Number(orgs.releases ?? 0) + Number(alone.releases ?? 0),
  };
}

async function countProducts(ctx: Context): Promise<number> {
  const row = await queries(ctx)
    .selectFrom('products as p')
    // A cross join preserves the order: some orgs have no product, but every product has an org.
    .crossJoin('orgs as o')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .whereRef('o.id', '=', 'p.org_id')
    .where(visibleProduct())
    .executeTakeFirstOrThrow();
  return Number(row.total);
}
