// Recent activity of the sources: the most active ones, their health, and their newest runs.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { RecentActivityItem, SourceActivityItem, Stats } from '../../contract/stats.ts';
import { publicError } from '../../domain/fetching/public-error.ts';
import { addDays, utcDay } from '../../domain/timestamps.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import { visibleAmongAll, visibleSource } from '../visible.ts';

const MAX_SOURCES = 500;

interface ActiveSources {
  // The releases of all visible sources within the days.
  releases: number;
  health: Stats['sourceHealth'];
  // The most active ones.
  sources: SourceActivityItem[];
}

// All sources are ranked and counted with narrow rows; only the listed ones are read whole.
export async function activeSources(
  ctx: Context,
  { days, cutoff }: { days: number; cutoff: string },
): Promise<ActiveSources> {
  const narrow = queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .where(visibleAmongAll())
    .select(['s.id', 's.name_key', 's.last_fetched_at', 'f.release_count'])
    .select(recentReleases(firstDay(ctx, days)).as('recent'));
  const rows = await queries(ctx)
    // Both are materialized, because otherwise they would be computed again for each use or row.
    .with(
      (cte) => cte('narrow').materialized(),
      () => narrow,
    )
    .with(
      (cte) => cte('counted').materialized(),
      (db) =>
        db
          .selectFrom('narrow')
          .select(({ fn }) => [fn.countAll<number>().as('sources'), fn.sum<number>('recent').as('releases')])
          .select(sql<number>`SUM(CASE WHEN last_fetched_at >= ${cutoff} THEN 1 ELSE 0 END)`.as('upToDate'))
          .select(sql<number>`SUM(CASE WHEN last_fetched_at IS NULL THEN 1 ELSE 0 END)`.as('neverFetched')),
    )
    .with('listed', (db) =>
      db
        .selectFrom('narrow')
        .select(['id', 'name_key', 'recent', 'release_count'])
        .orderBy('recent', 'desc')
        .orderBy('name_key')
        .orderBy('id')
        .limit(sql.lit(MAX_SOURCES)),
    )
    .selectFrom('counted')
    // Cross joins preserve the order: only the listed sources are looked up.
    .crossJoin('listed')
    .crossJoin('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .whereRef('s.id', '=', 'listed.id')
    .select(['sources', 'releases', 'upToDate', 'neverFetched', 'listed.recent'])
    .select(['s.name', 's.slug', 's.type', 'o.name as orgName', 's.last_fetched_at', 'listed.release_count'])
    .orderBy('listed.recent', 'desc')
    .orderBy('listed.name_key')
    .orderBy('listed.id')
    .modifyEnd(ONE_PLAN)
    .execute();
  const [first] = rows;
  const upToDate = Number(first?.upToDate ?? 0);
  const neverFetched = Number(first?.neverFetched ?? 0);
  return {
    releases: Number(first?.releases ?? 0),
    health: { upToDate, stale: Number(first?.sources ?? 0) - upToDate - neverFetched, neverFetched },
    sources: rows.map((row) => ({
      sourceName: row.name,
      sourceSlug: row.slug,
      sourceType: row.type,
      orgName: row.orgName,
      recentReleases: Number(row.recent),
      lastFetchedAt: row.last_fetched_at,
      totalReleases: row.release_count ?? 0,
    })),
  };
}

// The first of the last `days` days by UTC date, today included.
export function firstDay(ctx: Context, days: number): string {
  return addDays(utcDay(now(ctx)), 1 - days);
}

// The number of releases since a day. What precedes the first day is looked up only for a source with releases before and after
// it: from that day on there are few rows to read, before it many.
export function recentReleases(since: string): RawBuilder<number> {
  return sql<number>`(CASE WHEN f.latest_date IS NULL OR f.latest_date < ${since} THEN 0
    WHEN f.first_date >= ${since} THEN f.dated_count
    ELSE f.dated_count - COALESCE((SELECT d.through - d.count FROM release_days d
      WHERE d.source_id = s.id AND d.day >= ${since} ORDER BY d.day LIMIT 1), f.dated_count) END)`;
}

const MAX_ROWS = 20;

// The newest runs of visible sources, with their public error messages.
export async function recentActivity(ctx: Context): Promise<RecentActivityItem[]> {
  const rows = await queries(ctx)
    .selectFrom('fetch_log as l')
    // A cross join preserves the order: it starts at the newest run and stops when there are enough.
    .crossJoin('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['s.name', 's.slug', 'o.name as orgName'])
    .select(['l.releases_found', 'l.releases_inserted', 'l.total_releases', 'l.status', 'l.duration_ms', 'l.error'])
    .select('l.created_at')
    .whereRef('s.id', '=', 'l.source_id')
    .where(visibleSource())
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(sql.lit(MAX_ROWS))
    .modifyEnd(ONE_PLAN)
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
