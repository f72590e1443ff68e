// What upgrade answers need of a source: its owner, its visibility, the state of its fetches, and the packages that share it.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { SourceType } from '../../contract/enums.ts';
import type { UpgradeSource } from '../../contract/whats-changed.ts';
import type { PartsOfSource } from '../../domain/upgrade/requested-package.ts';
import type { SchemeSetting } from '../../domain/versions/index.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';

export interface PackageSource {
  id: string;
  slug: string;
  orgId: string | null;
  orgSlug: string | null;
  name: string;
  type: SourceType;
  url: string;
  coordinate: string | null;
  scheme: SchemeSetting;
  visible: boolean;
  // A lookup created the source, so anyone who knows its id or repository may read it.
  unlisted: boolean;
  releaseCount: number;
  latestVersion: string | null;
  lastFetchedAt: string | null;
  lastOutcome: string | null;
  failingSince: string | null;
  // The last good fetch, or the last time an operator wrote releases; null when there was neither.
  checkedAt: string | null;
  // The source is polled by the schedule.
  tracked: boolean;
  // Whether an operator asks for it.
  forOperator: boolean;
  // A listing of all its releases was read to the end.
  isListed: boolean;
  // The package map names packages of this source.
  hasPackages: boolean;
}

// Live sources with the aliases that visibility conditions use; the primary source of a repository first, then the oldest.
export function packageSourceRows(ctx: Context) {
  return queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', (join) => join.onRef('p.id', '=', 's.product_id').on('p.deleted_at', 'is', null))
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select([
      's.id',
      's.slug',
      's.org_id as orgId',
      'o.slug as orgSlug',
      's.name',
      's.type',
      's.url',
      's.github_coordinate as coordinate',
      's.version_scheme',
      's.is_hidden',
      's.discovery',
      's.last_fetched_at as lastFetchedAt',
      's.last_outcome as lastOutcome',
      's.failing_since as failingSince',
      's.fetch_priority',
      's.releases_written_at',
      's.listing_completed_at',
      'o.fetch_paused as org_paused',
      'o.is_hidden as org_hidden',
      'o.deleted_at as org_deleted',
      'p.is_hidden as product_hidden',
      'f.release_count',
      'f.latest_version as latestVersion',
      sql<number>`(CASE WHEN EXISTS (SELECT 1 FROM packages m WHERE m.source_id = s.id) THEN 1 ELSE 0 END)`.as(
        'has_packages',
      ),
    ])
    .where('s.deleted_at', 'is', null)
    .orderBy('s.is_primary', 'desc')
    .orderBy('s.created_at')
    .orderBy('s.id');
}

type PackageSourceRow = Awaited<ReturnType<ReturnType<typeof packageSourceRows>['execute']>>[number];

export function toPackageSource({ caller }: Pick<Context, 'caller'>, row: PackageSourceRow): PackageSource {
  const { version_scheme, is_hidden, discovery, org_hidden, org_deleted, product_hidden, release_count, ...more } = row;
  const { fetch_priority, org_paused, releases_written_at, listing_completed_at, has_packages, ...rest } = more;
  const live = row.orgId === null || org_deleted === null;
  const unlisted = live && is_hidden === 1 && discovery === 'on_demand';
  return {
    ...rest,
    scheme: version_scheme === 'numeric' || version_scheme === 'calendar' ? version_scheme : 'auto',
    visible: live && is_hidden === 0 && !org_hidden && !product_hidden,
    unlisted,
    releaseCount: release_count ?? 0,
    checkedAt: latestOf(row.lastFetchedAt, releases_written_at),
    tracked: fetch_priority !== 'paused' && !org_paused && !unlisted,
    forOperator: caller.scope === 'write' || caller.scope === 'admin',
    isListed: listing_completed_at !== null,
    hasPackages: has_packages === 1,
  };
}

function latestOf(a: string | null, b: string | null): string | null {
  return (a ?? '') > (b ?? '') ? a : b;
}

export function toUpgradeSource(source: PackageSource): UpgradeSource {
  return {
    sourceId: source.id,
    sourceSlug: source.slug,
    orgSlug: source.orgSlug,
    name: source.name,
    type: source.type,
    url: source.url,
    latestVersion: source.latestVersion,
    lastFetchedAt: source.lastFetchedAt,
  };
}

const MAX_PARTS = 500;

// Not `EXISTS`, which a server may join with all releases.
function anyVersion(ofPackage: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(SELECT r.version_sort FROM releases r
    WHERE ${ofPackage} AND r.version_sort IS NOT NULL AND r.listing <> 0 LIMIT 1) IS NOT NULL`;
}

// The packages that share each source. The query skips from part to part in the index, so a source costs as many steps as it
// has packages, however many releases they have.
export async function partsOfSources(ctx: Context, sourceIds: readonly string[]): Promise<Map<string, PartsOfSource>> {
  const ids = [...new Set(sourceIds)];
  if (ids.length === 0) return new Map();
  const wanted = sql`s.id IN (${sql.join(ids)})`;
  const { rows } = await sql<{ source_id: string; part: string | null }>`
    WITH RECURSIVE parts (source_id, part, step) AS (
      SELECT s.id, (SELECT MIN(r.package_part) FROM releases r WHERE r.source_id = s.id AND r.package_part IS NOT NULL), 1
      FROM sources s WHERE ${wanted}
      UNION ALL
      SELECT p.source_id, (SELECT MIN(r.package_part) FROM releases r
        WHERE r.source_id = p.source_id AND r.package_part > p.part), p.step + 1
      FROM parts p WHERE p.part IS NOT NULL AND p.step < ${sql.lit(MAX_PARTS)})
    SELECT p.source_id, p.part FROM parts p
      WHERE p.part IS NOT NULL AND ${anyVersion(sql`r.source_id = p.source_id AND r.package_part = p.part`)}
    UNION ALL
    SELECT s.id, NULL FROM sources s
      WHERE ${wanted} AND ${anyVersion(sql`r.source_id = s.id AND r.package_part IS NULL`)} ${ONE_PLAN}`.execute(
    queries(ctx),
  );
  const bySource = Map.groupBy(rows, (row) => row.source_id);
  return new Map(
    ids.map((id) => {
      const list = bySource.get(id) ?? [];
      const parts = list.flatMap(({ part }) => part ?? []).sort();
      return [id, { parts, hasBare: list.some(({ part }) => part === null) }];
    }),
  );
}
