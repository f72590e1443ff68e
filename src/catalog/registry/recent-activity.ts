import { type Context, queries } from '../../context.ts';
import type { RecentActivityItem } from '../../contract/stats.ts';
import { publicError } from '../../domain/public-error.ts';
import { visibleSource } from '../visible.ts';

const MOST_ROWS = 20;

// The newest runs of visible sources, with errors as the public may read them.
export async function recentActivity(ctx: Context): Promise<RecentActivityItem[]> {
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
