// All packages that are known here: those that a visible source tells about, and those that a registry has listed.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import type { Ecosystem } from '../../domain/published-package.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { knownNames } from '../../entities/packages/known-names.ts';
import { containsFolded, visibleSource } from '../../entities/visible.ts';
import { type LatestRow, latestColumns, latestIn } from '../../releases/stored-latest.ts';

export interface ListedPackage extends PackageName {
  latest: string | null;
  source: { slug: string; name: string; orgSlug: string | null; releaseCount: number } | null;
}

interface PackageListRequest {
  ecosystem?: Ecosystem;
  q?: string;
  page: number;
  limit: number;
}

interface ListedRow extends PackageName, LatestRow {
  slug: string | null;
  source_name: string | null;
  org_slug: string | null;
  release_count: number | null;
}

export async function listKnownPackages(ctx: Context, request: PackageListRequest): Promise<Page<ListedPackage>> {
  const known = await knownNames(ctx, (alias) => conditionsOf(alias, request));
  const { page, limit } = request;
  const counted = await sql<{ total: number }>`SELECT COUNT(*) AS total FROM (${known}) AS k`.execute(queries(ctx));
  const { rows } = await sql<ListedRow>`SELECT k.ecosystem, k.name, ${latestColumns(ctx)},
      CASE WHEN ${visibleSource()} THEN s.slug END AS slug, s.name AS source_name,
      o.slug AS org_slug, f.release_count
    FROM (SELECT k.ecosystem, k.name FROM (${known}) AS k ORDER BY k.name, k.ecosystem
      LIMIT ${limit} OFFSET ${(page - 1) * limit}) AS k
    LEFT JOIN package_states t ON t.ecosystem = k.ecosystem AND t.name = k.name
    LEFT JOIN packages m ON m.ecosystem = k.ecosystem AND m.name = k.name
    LEFT JOIN sources s ON s.id = m.source_id LEFT JOIN orgs o ON o.id = s.org_id
    LEFT JOIN products p ON p.id = s.product_id LEFT JOIN source_figures f ON f.source_id = s.id
    ORDER BY k.name, k.ecosystem`.execute(queries(ctx));
  return {
    items: rows.map(toListed),
    pagination: paginate({ page, limit, returned: rows.length, total: Number(counted.rows[0]?.total ?? 0) }),
  };
}

function toListed(row: ListedRow): ListedPackage {
  const { ecosystem, name, slug, source_name, org_slug, release_count } = row;
  const source =
    slug === null ? null : { slug, name: source_name ?? slug, orgSlug: org_slug, releaseCount: release_count ?? 0 };
  return { ecosystem, name, latest: latestIn(row), source };
}

function conditionsOf(alias: string, { ecosystem, q }: PackageListRequest): RawBuilder<boolean>[] {
  const inEcosystem = ecosystem === undefined ? [] : [sql<boolean>`${sql.ref(`${alias}.ecosystem`)} = ${ecosystem}`];
  return q ? [...inEcosystem, containsFolded(`${alias}.name`, q.toLowerCase())] : inEcosystem;
}
