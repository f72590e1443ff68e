// Figures of the whole registry, from the counters that writes maintain: no release is read.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { RecentActivityItem, SourceActivityItem, Stats } from '../../contract/stats.ts';
import { publicError } from '../../domain/public-error.ts';
import { addDays, utcDay } from '../../domain/timestamps.ts';
import { visibleProduct, visibleSource } from '../visible.ts';

const DAY_MS = 86_400_000;
const MOST_SOURCES = 500;

export async function readStats(ctx: Context, { days }: { days: number }): Promise<Stats> {
  const cutoff = new Date(ctx.clock().getTime() - days * DAY_MS).toISOString();
  const rows = await activeSources(ctx, { days, cutoff });
  const [first] = rows;
  const sources = Number(first?.sources ?? 0);
  const releases = Number(first?.releases ?? 0);
  const releasesInPeriod = Number(first?.releasesInPeriod ?? 0);
  const upToDate = Number(first?.upToDate ?? 0);
  const neverFetched = Number(first?.neverFetched ?? 0);
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
    sourceActivity: rows.map(activityItem),
    recentActivity: await recentActivity(ctx),
  };
}

// The most active sources, each row with the sums over all visible ones: one pass gives both.
function activeSources(ctx: Context, period: { days: number; cutoff: string }) {
  const visible = queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select(['s.id', 's.name', 's.name_key', 's.slug', 's.type', 'o.name as orgName', 's.last_fetched_at'])
    .select(sql<number>`COALESCE(f.release_count, 0)`.as('total'))
    .select(recentReleases(ctx, period.days).as('recent'))
    .where(visibleSource());
  // The counts are a subquery of their own; inlined, they would be computed again for each use.
  return queries(ctx)
    .with(
      (cte) => cte('v').materialized(),
      () => visible,
    )
    .selectFrom('v')
    .selectAll('v')
    .select(sql`COUNT(*) OVER ()`.as('sources'))
    .select(sql`SUM(v.total) OVER ()`.as('releases'))
    .select(sql`SUM(v.recent) OVER ()`.as('releasesInPeriod'))
    .select(sql`SUM(CASE WHEN v.last_fetched_at >= ${period.cutoff} THEN 1 ELSE 0 END) OVER ()`.as('upToDate'))
    .select(sql`SUM(CASE WHEN v.last_fetched_at IS NULL THEN 1 ELSE 0 END) OVER ()`.as('neverFetched'))
    .orderBy('v.recent', 'desc')
    .orderBy('v.name_key')
    .orderBy('v.id')
    .limit(MOST_SOURCES)
    .execute();
}

// The last `days` days by UTC date, today included. A source whose newest release is older is not looked up at all.
function recentReleases(ctx: Context, days: number): RawBuilder<number> {
  const today = utcDay(now(ctx));
  const from = addDays(today, 1 - days);
  return sql<number>`(CASE WHEN f.latest_date >= ${from} THEN
    COALESCE((SELECT d.through FROM release_days d WHERE d.source_id = s.id ORDER BY d.day DESC LIMIT 1), 0)
    - COALESCE((SELECT d.through FROM release_days d WHERE d.source_id = s.id AND d.day < ${from}
      ORDER BY d.day DESC LIMIT 1), 0) ELSE 0 END)`;
}

function activityItem(row: Awaited<ReturnType<typeof activeSources>>[number]): SourceActivityItem {
  return {
    sourceName: row.name,
    sourceSlug: row.slug,
    sourceType: row.type,
    orgName: row.orgName,
    lastFetchedAt: row.last_fetched_at,
    totalReleases: row.total,
    recentReleases: Number(row.recent),
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

const MOST_ROWS = 20;

// The newest runs of visible sources, with errors as the public may read them.
async function recentActivity(ctx: Context): Promise<RecentActivityItem[]> {
  const rows = await queries(ctx)
    .selectFrom('fetch_log as l')
    .innerJoin('sources as s', 's.id', 'l.source_id')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['s.name', 's.slug', 'o.name as orgName'])
    .select(['l.releases_found', 'l.releases_inserted', 'l.total_releases', 'l.status', 'l.duration_ms', 'l.error'])
    .select('l.created_at')
    .where(visibleSource())
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(MOST_ROWS)
    .execute();
  return rows.map((row) => ({
    sourceName: row.name,
    sourceSlug: row.slug,
    orgName: row.orgName,
    releasesFound: row.releases_found,
    releasesInserted: row.releases_inserted,
    totalReleases: row.total_releases,
    status: row.status,
    durationMs: row.duration_ms,
    error: publicError(row.error),
    createdAt: row.created_at,
  }));
}
