import { type Context, now, queries } from '../../context.ts';
import type { DayRange } from '../../contract/activity.ts';
import { compareVersionKeys } from '../../domain/versions/index.ts';
import type { ReleaseRow } from '../../store/schema.ts';

export type DatedRelease = Pick<ReleaseRow, 'feed_at' | 'version' | 'version_sort' | 'prerelease'>;

// Oldest first; sorted here, because asked for in order the whole registry's index would be walked. A source has either
// shown releases (2) or, while it is hidden, ones that would be shown (-2).
export async function datedReleases(
  ctx: Context,
  input: { sourceIds: readonly string[]; range: DayRange },
): Promise<Map<string, DatedRelease[]>> {
  const end = `${input.range.to}T23:59:59.999Z`;
  const present = now(ctx);
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(['id', 'source_id', 'feed_at', 'version', 'version_sort', 'prerelease'])
    .where('source_id', 'in', [...input.sourceIds, ''])
    .where('listing', 'in', [2, -2])
    .where('published_at', 'is not', null)
    .where('feed_at', '>=', input.range.from)
    .where('feed_at', '<=', end < present ? end : present)
    .execute();
  rows.sort((a, b) => (a.feed_at === b.feed_at ? (a.id < b.id ? -1 : 1) : a.feed_at < b.feed_at ? -1 : 1));
  return Map.groupBy(rows, (row) => row.source_id);
}

interface VersionSpan {
  earliestVersion: string | null;
  latestVersion: string | null;
}

// Lowest and highest stable version of releases in order of date; where none has a place in the order of versions, the
// first and the last.
export function versionSpan(releases: readonly DatedRelease[]): VersionSpan {
  const stable = releases.filter((release) => release.prerelease === 0 && release.version !== null);
  const keyed = stable.filter((release) => release.version_sort !== null);
  keyed.sort((a, b) => compareVersionKeys(a.version_sort ?? '', b.version_sort ?? ''));
  const sorted = keyed.length > 0 ? keyed : stable;
  return { earliestVersion: sorted.at(0)?.version ?? null, latestVersion: sorted.at(-1)?.version ?? null };
}
