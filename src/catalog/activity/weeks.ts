// Dated releases of sources, counted by week.
import { type Context, now, queries } from '../../context.ts';
import type { DayRange, WeeklyBucket } from '../../contract/activity.ts';
import { mondayOf, utcDay } from '../../domain/timestamps.ts';
import { compareVersionKeys } from '../../domain/versions/index.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';

// Weeks without a release have no bucket, so unread weeks are also listed separately.
export function weeksOf(
  releases: readonly DatedRelease[],
  unread: readonly string[] = [],
): { weeklyBuckets: WeeklyBucket[]; unreadWeeks?: string[] } {
  const weeks = Map.groupBy(releases, (release) => mondayOf(utcDay(release.feed_at)));
  const weeklyBuckets = [...weeks]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([weekStart, own]) => ({
      weekStart,
      count: own.length,
      ...versionSpan(own),
      ...breakOf(own),
      ...(unread.includes(weekStart) && { unread: true }),
    }));
  return { weeklyBuckets, ...(unread.length > 0 && { unreadWeeks: [...unread] }) };
}

function breakOf(own: readonly DatedRelease[]): Pick<WeeklyBucket, 'breaking' | 'worst'> {
  const worst = (['major', 'minor'] as const).find((verdict) => own.some(({ breaking }) => breaking === verdict));
  return worst ? { breaking: true, worst } : {};
}

type DatedRelease = Pick<ReleaseRow, 'feed_at' | 'version' | 'version_sort' | 'prerelease' | 'breaking'>;

// Oldest first. The rows are sorted here, because an ORDER BY would make the planner walk the index of the whole
// registry. A source has either visible releases (listing 2) or, while it is hidden, releases that would be visible
// (-2).
export async function datedReleases(
  ctx: Context,
  input: { sourceIds: readonly string[]; range: DayRange },
): Promise<Map<string, DatedRelease[]>> {
  const end = `${input.range.to}T23:59:59.999Z`;
  const present = now(ctx);
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(['id', 'source_id', 'feed_at', 'version', 'version_sort', 'prerelease', 'breaking'])
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

// The lowest and highest stable version; when no release has a sortable version, those of the first and the last
// release.
export function versionSpan(releases: readonly DatedRelease[]): VersionSpan {
  const stable = releases.filter((release) => release.prerelease === 0 && release.version !== null);
  const keyed = stable.filter((release) => release.version_sort !== null);
  keyed.sort((a, b) => compareVersionKeys(a.version_sort ?? '', b.version_sort ?? ''));
  const sorted = keyed.length > 0 ? keyed : stable;
  return { earliestVersion: sorted.at(0)?.version ?? null, latestVersion: sorted.at(-1)?.version ?? null };
}
