// What package registries list, for one package or for many with one query. Callers see only what `viewer.ts` allows.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { packageKey } from '../../domain/published-package.ts';
import type { PackageName } from '../../domain/upgrade/asked.ts';
import type { PackageStateRow } from '../../store/schema/packages.ts';
import { WITHDRAWN_RELEASE } from '../visible.ts';
import { type PackageViewer, seenPackages } from './viewer.ts';

// A listing that is older says nothing about newer versions.
const CURRENT_MS = 14 * 86_400_000;

export type PublishedPackage = Omit<PackageStateRow, 'validators'> & {
  // A whole listing of the last 14 days is known.
  isCurrent: boolean;
};

// By `packageKey`; names are normalised.
export async function readPackages(
  ctx: Context,
  viewer: PackageViewer,
  names: readonly PackageName[],
): Promise<Map<string, PublishedPackage>> {
  const seen = seenPackages(ctx, viewer, names);
  if (seen.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('package_states')
    .selectAll()
    .where('id', 'in', [...new Set(seen.map(packageKey))])
    .execute();
  const since = new Date(ctx.clock().getTime() - CURRENT_MS).toISOString();
  return new Map(
    rows.map(({ validators: _, ...row }) => [row.id, { ...row, isCurrent: (row.listed_at ?? '') >= since }]),
  );
}

export interface VersionRange extends PackageName {
  // Version keys, both included; null for no bound. A version without a key is in no range with a bound.
  from: string | null;
  to: string | null;
}

export interface PublishedVersion extends PackageName {
  version: string;
  versionSort: string | null;
  // The date of its release, else the registry's: mirrors rewrite times.
  publishedAt: string | null;
  withdrawn: boolean;
  withdrawnReason: string | null;
  deprecated: string | null;
  tarballUrl: string | null;
  integrity: string | null;
  releaseId: string | null;
  // A release with text is stored for it.
  noted: boolean;
}

type VersionRow = Omit<PublishedVersion, 'withdrawn' | 'noted'> & Record<'withdrawn' | 'noted', number>;

// By `packageKey`, in rising order of versions; those without an order come first.
export async function readVersions(
  ctx: Context,
  viewer: PackageViewer,
  ranges: readonly VersionRange[],
): Promise<Map<string, PublishedVersion[]>> {
  const seen = seenPackages(ctx, viewer, ranges);
  if (seen.length === 0) return new Map();
  const whole = seen.filter(({ from, to }) => from === null && to === null);
  const bounded = seen.filter(({ from, to }) => from !== null || to !== null);
  const parts = [
    ...(whole.length === 0 ? [] : [versionRows(whole, sql``)]),
    ...(bounded.length === 0
      ? []
      : [versionRows(bounded, sql`AND v.version_sort >= asked.column3 AND v.version_sort <= asked.column4`)]),
  ];
  const { rows } = await sql<VersionRow>`SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) AS found
    ORDER BY ecosystem, name, COALESCE("versionSort", ''), version`.execute(queries(ctx));
  const versions = rows.map((row) => ({ ...row, withdrawn: row.withdrawn === 1, noted: row.noted === 1 }));
  return Map.groupBy(versions, packageKey);
}

// Above every version key.
const HIGHEST = '\u{10ffff}';

function versionRows(ranges: readonly VersionRange[], bounds: RawBuilder<unknown>): RawBuilder<unknown> {
  const values = ranges.map(
    ({ ecosystem, name, from, to }) => sql`(${ecosystem}, ${name}, ${from ?? ''}, ${to ?? HIGHEST})`,
  );
  return sql`SELECT v.ecosystem, v.name, v.version, v.version_sort AS "versionSort",
      COALESCE(r.published_at, v.published_at) AS "publishedAt", v.withdrawn, v.withdrawn_reason AS "withdrawnReason",
      v.deprecated, v.tarball_url AS "tarballUrl", v.integrity, r.id AS "releaseId",
      CASE WHEN r.content_chars > 0 THEN 1 ELSE 0 END AS noted
    FROM (VALUES ${sql.join(values)}) AS asked
    JOIN package_versions v ON v.ecosystem = asked.column1 AND v.name = asked.column2 ${bounds}
    LEFT JOIN releases r ON r.id = v.release_id AND (r.listing > 0 OR ${WITHDRAWN_RELEASE})`;
}
