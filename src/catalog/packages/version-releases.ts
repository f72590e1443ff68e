// Which stored release tells of a published version: one of the source that the package map names, with the same version
// and the package's own part of the repository.
import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import type { PackageName } from '../../domain/upgrade/asked.ts';
import type { PackageVersionRow } from '../../store/schema/packages.ts';
import { WITHDRAWN_RELEASE } from '../visible.ts';

type ReleaseOfVersion = (row: Pick<PackageVersionRow, 'version' | 'version_sort'>) => string | null;

interface VersionedRelease {
  id: string;
  version: string | null;
  version_sort: string;
}

export async function releasesOfVersions(
  ctx: WriteContext,
  { ecosystem, name }: PackageName,
): Promise<ReleaseOfVersion> {
  const { rows } = await sql<VersionedRelease>`SELECT r.id, r.version, r.version_sort
    FROM packages m JOIN releases r ON r.source_id = m.source_id
      AND COALESCE(r.package_part, '') = COALESCE(m.package_part, '')
    WHERE m.ecosystem = ${ecosystem} AND m.name = ${name} AND r.version_sort IS NOT NULL
      AND (r.listing > 0 OR ${WITHDRAWN_RELEASE})
    ORDER BY r.listing DESC, r.feed_at DESC, r.id`.execute(ctx.tx);
  const bySort = Map.groupBy(rows, (row) => row.version_sort);
  return ({ version, version_sort }) => {
    const same = version_sort === null ? [] : (bySort.get(version_sort) ?? []);
    // Builds of one version share a key.
    return (same.find((one) => one.version === version) ?? same[0])?.id ?? null;
  };
}
