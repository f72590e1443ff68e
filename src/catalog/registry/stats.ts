// Figures of the whole registry, from the counters that writes keep: no release is read.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { SourceType } from '../../contract/enums.ts';
import type { SourceActivityItem, Stats } from '../../contract/stats.ts';
import { addDays, utcDay } from '../../domain/timestamps.ts';
import { visibleProduct, visibleSource } from '../visible.ts';
import { recentActivity } from './recent-activity.ts';

const DAY_MS = 86_400_000;
const MOST_SOURCES = 500;

export async function readStats(ctx: Context, { days }: { days: number }): Promise<Stats> {
  const cutoff = new Date(ctx.clock().getTime() - days * DAY_MS).toISOString();
  const counted = await countSources(ctx, { days, cutoff });
  const { sources, releases, releasesInPeriod, upToDate, neverFetched } = counted;
  const orgs = await countOrgs(ctx);
  const products = await countProducts(ctx);
  return {
    orgs,
    sources,
    products,
    releases,
    period: { days, cutoff },
    totals: { organizations: orgs, sources, products, releases, releasesInPeriod },
    sourceHealth: { upToDate, stale: sources - upToDate - neverFetched, neverFetched },
    sourceActivity: await sourceActivity(ctx, days),
    recentActivity: await recentActivity(ctx),
  };
}

function visibleSources(ctx: Context) {
  return queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .where(visibleSource());
}

// The last `days` days by UTC date, today included. A source whose newest release is older is not looked up at all.
function recentReleases(ctx: Context, days: number): RawBuilder<number> {
  const today = utcDay(now(ctx));
  const from = addDays(today, 1 - days);
  return sql<number>`(CASE WHEN f.latest_date >= ${from} THEN
    (SELECT COALESCE(SUM(d.count), 0) FROM release_days d
      WHERE d.source_id = s.id AND d.day >= ${from} AND d.day <= ${today}) ELSE 0 END)`;
}

async function countSources(ctx: Context, { days, cutoff }: { days: number; cutoff: string }) {
  const row = await visibleSources(ctx)
    .select(({ fn }) => [fn.countAll().as('sources'), fn.sum('f.release_count').as('releases')])
    .select(sql`SUM(${recentReleases(ctx, days)})`.as('releasesInPeriod'))
    .select(sql`COUNT(CASE WHEN s.last_fetched_at >= ${cutoff} THEN 1 END)`.as('upToDate'))
    .select(sql`COUNT(CASE WHEN s.last_fetched_at IS NULL THEN 1 END)`.as('neverFetched'))
    .executeTakeFirstOrThrow();
  return {
    sources: Number(row.sources),
    releases: Number(row.releases ?? 0),
    releasesInPeriod: Number(row.releasesInPeriod ?? 0),
    upToDate: Number(row.upToDate),
    neverFetched: Number(row.neverFetched),
  };
}

async function countOrgs(ctx: Context): Promise<number> {
  const row = await queries(ctx)
    .selectFrom('orgs')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

async function countProducts(ctx: Context): Promise<number> {
  const row = await queries(ctx)
    .selectFrom('products as p')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(visibleProduct())
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

async function sourceActivity(ctx: Context, days: number): Promise<SourceActivityItem[]> {
  const rows = await visibleSources(ctx)
    .select(['s.name', 's.slug', 's.type', 'o.name as orgName', 's.last_fetched_at', 'f.release_count'])
    .select(recentReleases(ctx, days).as('recent'))
    .orderBy('recent', 'desc')
    .orderBy('s.name_key')
    .orderBy('s.id')
    .limit(MOST_SOURCES)
    .execute();
  return rows.map((row) => ({
    sourceName: row.name,
    sourceSlug: row.slug,
    sourceType: row.type as SourceType,
    orgName: row.orgName,
    lastFetchedAt: row.last_fetched_at,
    totalReleases: row.release_count ?? 0,
    recentReleases: Number(row.recent),
  }));
}
