// Finds the release of a changelog chunk: the release of the same version in the same source.
import type { Context } from '../../context.ts';
import { searchQueries } from '../search-connection.ts';

export interface EntryChunk {
  sourceId: string;
  path: string;
  version: string | null;
  versionSort: string | null;
}

interface EntryRelease {
  sourceId: string;
  version: string | null;
  versionSort: string | null;
  packagePart: string | null;
}

interface ReleaseOfEntry extends EntryRelease {
  id: string;
  type: string;
  breaking: string;
  importance: number | null;
}

// The release of each chunk, in their order; null where that version is not stored or not shown.
export async function releasesOfEntries(
  ctx: Context,
  chunks: readonly EntryChunk[],
): Promise<(ReleaseOfEntry | null)[]> {
  const versioned = chunks.filter(({ versionSort }) => versionSort !== null);
  if (versioned.length === 0) return chunks.map(() => null);
  const sources = [...new Set(versioned.map(({ sourceId }) => sourceId))];
  const versions = [...new Set(versioned.flatMap(({ versionSort }) => versionSort ?? []))];
  const rows = await searchQueries(ctx)
    .selectFrom('releases')
    .select(['id', 'source_id as sourceId', 'version', 'version_sort as versionSort', 'package_part as packagePart'])
    .select(['type', 'breaking', 'importance', 'listing'])
    // The subquery uses the index of versions alone, because a condition on the listing would read rows of all versions.
    .where('seq', 'in', (eb) =>
      eb.selectFrom('releases').select('seq').where('source_id', 'in', sources).where('version_sort', 'in', versions),
    )
    .orderBy('id')
    .execute();
  const shown = rows.filter(({ listing }) => listing > 0);
  const bySource = Map.groupBy(shown, (row) => row.sourceId);
  return chunks.map((chunk) => {
    const same = bySource.get(chunk.sourceId)?.filter((release) => isSameEntry(chunk, release)) ?? [];
    // The release without a package comes first, because a file without a package describes the repository.
    return same.find(({ packagePart }) => packagePart === null) ?? same[0] ?? null;
  });
}

// Whether a chunk and a release are about the same entry. In a repository of several packages the folder of the file decides.
export function isSameEntry(chunk: EntryChunk, release: EntryRelease): boolean {
  if (chunk.version === null || chunk.sourceId !== release.sourceId) return false;
  // A version without numbers has no key to compare by.
  if (chunk.versionSort !== release.versionSort) return false;
  if (chunk.versionSort === null && chunk.version !== release.version) return false;
  const { packagePart } = release;
  const folders = chunk.path.toLowerCase().split('/').slice(0, -1);
  if (packagePart === null || folders.length === 0) return true;
  const name = packagePart.slice(packagePart.lastIndexOf('/') + 1).toLowerCase();
  return folders.includes(name);
}
