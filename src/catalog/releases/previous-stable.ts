// The greatest lower stable version of the same package and scheme: what the size of a step is measured from.
import type { WriteContext } from '../../context.ts';
import { compareVersionKeys, type ParsedVersion, parseVersion, schemeOfKey } from '../../domain/versions/index.ts';
import type { VersionFields } from './build-row.ts';

export async function previousStable(
  ctx: WriteContext,
  sourceId: string,
  version: VersionFields,
  batch: readonly VersionFields[],
): Promise<ParsedVersion | null> {
  const key = version.version_sort;
  if (key === null || schemeOfKey(key) === 'calendar') return null;
  const stored = await ctx.tx
    .selectFrom('releases')
    .select(['version', 'version_sort'])
    .where('source_id', '=', sourceId)
    .where('package_part', version.package_part === null ? 'is' : '=', version.package_part)
    .where('version_sort', '<', key)
    .where('prerelease', '=', 0)
    .orderBy('version_sort', 'desc')
    .limit(1)
    .executeTakeFirst();
  let best = stored?.version && stored.version_sort ? { text: stored.version, key: stored.version_sort } : null;
  for (const other of batch) {
    if (other.prerelease || other.package_part !== version.package_part || !other.version || !other.version_sort)
      continue;
    if (compareVersionKeys(other.version_sort, key) >= 0) continue;
    if (!best || compareVersionKeys(other.version_sort, best.key) > 0)
      best = { text: other.version, key: other.version_sort };
  }
  return best && schemeOfKey(best.key) === schemeOfKey(key) ? parseVersion(best.text) : null;
}
