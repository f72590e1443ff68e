// Weekly release activity of an org, a product or one source.
import { type Context, now, queries } from '../../context.ts';
import type {
  DayRange,
  GroupActivity,
  OrgActivity,
  ProductActivity,
  SourceActivity,
  SourceActivityRow,
  WeeklyBucket,
} from '../../contract/activity.ts';
import { badRequest } from '../../contract/errors.ts';
import { mondayOf, parseDay, utcDay } from '../../domain/timestamps.ts';
import { compareVersionKeys } from '../../domain/versions/index.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { openOrg, openProduct } from '../open.ts';
import { type ProductPath, resolveSource, type SourcePath } from '../resolve.ts';
import { averagePerWeek, countedSources, dayCountsBySource, firstOfLast, PACE_DAYS } from './counts.ts';
import { unreadWeeks } from './unread-weeks.ts';

export async function orgActivity(ctx: Context, input: { org: string; range: ActivityRange }): Promise<OrgActivity> {
  checkRange(input.range);
  const { id, slug, name } = await openOrg(ctx, input.org);
  return { org: { slug, name }, ...(await groupActivity(ctx, await countedSources(ctx, { orgId: id }), input.range)) };
}

export async function productActivity(
  ctx: Context,
  input: { path: ProductPath; range: ActivityRange },
): Promise<ProductActivity> {
  checkRange(input.range);
  const { id, slug, name } = (await openProduct(ctx, input.path)).product;
  const sources = await countedSources(ctx, { productId: id });
  return { product: { slug, name }, ...(await groupActivity(ctx, sources, input.range)) };
}

export async function sourceActivity(
  ctx: Context,
  input: { path: SourcePath; range: ActivityRange },
): Promise<SourceActivity> {
  checkRange(input.range);
  const { source, org } = await resolveSource(ctx, input.path);
  const sourceIds = [source.id];
  const range = await effectiveRange(ctx, sourceIds, input.range);
  const [releases, unread] = await Promise.all([
    datedReleases(ctx, { sourceIds, range }),
    unreadWeeks(ctx, { sources: [source], range }),
  ]);
  return {
    source: { slug: source.slug, name: source.name, orgSlug: org?.slug ?? null, orgName: org?.name ?? null },
    range,
    ...weeksOf(releases.get(source.id) ?? [], unread.get(source.id)),
  };
}

// Counts, versions and buckets are those of the range; the average is the same figure as on every page.
async function groupActivity(
  ctx: Context,
  sources: readonly SourceRow[],
  requested: ActivityRange,
): Promise<GroupActivity> {
  const sourceIds = sources.map((source) => source.id);
  const range = await effectiveRange(ctx, sourceIds, requested);
  const [releases, unread, averages] = await Promise.all([
    datedReleases(ctx, { sourceIds, range }),
    unreadWeeks(ctx, { sources, range }),
    averagesOf(ctx, sourceIds),
  ]);
  const rows = sources.map((source): SourceActivityRow => {
    const own = releases.get(source.id) ?? [];
    return {
      slug: source.slug,
      name: source.name,
      releaseCount: own.length,
      avgReleasesPerWeek: averages.get(source.id) ?? 0,
      ...versionSpan(own),
      latestDate: own.at(-1)?.feed_at ?? null,
      ...weeksOf(own, unread.get(source.id)),
    };
  });
  // One unread source makes the total of the week too low.
  const anyUnread = [...new Set([...unread.values()].flat())].sort();
  return {
    range,
    sources: rows,
    aggregateWeekly: addedWeeks(
      rows.flatMap(({ weeklyBuckets }) => weeklyBuckets),
      anyUnread,
    ),
    ...(anyUnread.length > 0 && { unreadWeeks: anyUnread }),
  };
}

async function averagesOf(ctx: Context, sourceIds: readonly string[]): Promise<Map<string, number>> {
  const today = utcDay(now(ctx));
  const days = await dayCountsBySource(ctx, { sourceIds, from: firstOfLast(PACE_DAYS, today) });
  const figures = await queries(ctx)
    .selectFrom('source_figures')
    .select(['source_id', 'first_date'])
    .where('source_id', 'in', [...sourceIds, ''])
    .execute();
  return new Map(
    figures.map(({ source_id, first_date: firstDate }) => [
      source_id,
      averagePerWeek({ counts: days.get(source_id) ?? new Map(), firstDate, today }),
    ]),
  );
}

interface ActivityRange {
  from?: string;
  to?: string;
}

function checkRange({ from, to }: ActivityRange): void {
  if (from !== undefined && parseDay(from) === null) throw badRequest('from', 'must be a date (YYYY-MM-DD)');
  if (to !== undefined && parseDay(to) === null) throw badRequest('to', 'must be a date (YYYY-MM-DD)');
  if (from !== undefined && to !== undefined && from > to) throw badRequest('from', 'must not be later than to');
}

// A missing end of the range is that of the dated releases, and never beyond the other end.
async function effectiveRange(ctx: Context, sourceIds: readonly string[], requested: ActivityRange): Promise<DayRange> {
  if (requested.from !== undefined && requested.to !== undefined) return { from: requested.from, to: requested.to };
  const today = utcDay(now(ctx));
  const row = await queries(ctx)
    .selectFrom('source_figures')
    .select(({ fn }) => [fn.min('first_date').as('first'), fn.max('latest_date').as('last')])
    .where('source_id', 'in', [...sourceIds, ''])
    .executeTakeFirst();
  const from = requested.from ?? (row?.first ? utcDay(row.first) : today);
  const to = requested.to ?? (row?.last ? utcDay(row.last) : today);
  if (from <= to) return { from, to };
  const only = requested.from ?? requested.to ?? today;
  return { from: only, to: only };
}

// Dated releases of sources, counted by week.

// Weeks without a release have no bucket, so unread weeks are also listed separately.
function weeksOf(
  releases: readonly DatedRelease[],
  unread: readonly string[] = [],
): { weeklyBuckets: WeeklyBucket[]; unreadWeeks?: string[] } {
  // Neighbours in the list are mostly of one day, and a calendar costs more than reading the row.
  let known = { day: '', monday: '' };
  const weeks = Map.groupBy(releases, (release) => {
    const day = utcDay(release.feed_at);
    if (day !== known.day) known = { day, monday: mondayOf(day) };
    return known.monday;
  });
  const weeklyBuckets = [...weeks]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([weekStart, own]) => ({
      weekStart,
      count: own.length,
      ...versionSpan(own),
      ...breakOf(own.map(({ breaking }) => breaking)),
      ...(unread.includes(weekStart) && { unread: true }),
    }));
  return { weeklyBuckets, ...(unread.length > 0 && { unreadWeeks: [...unread] }) };
}

// The weeks of several sources together.
function addedWeeks(buckets: readonly WeeklyBucket[], unread: readonly string[]): GroupActivity['aggregateWeekly'] {
  return [...Map.groupBy(buckets, ({ weekStart }) => weekStart)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([weekStart, own]) => ({
      weekStart,
      count: own.reduce((sum, { count }) => sum + count, 0),
      ...breakOf(own.map(({ worst }) => worst)),
      ...(unread.includes(weekStart) && { unread: true }),
    }));
}

function breakOf(verdicts: readonly (string | undefined)[]): Pick<WeeklyBucket, 'breaking' | 'worst'> {
  const worst = (['major', 'minor'] as const).find((verdict) => verdicts.includes(verdict));
  return worst ? { breaking: true, worst } : {};
}

type DatedRelease = Pick<ReleaseRow, 'feed_at' | 'version' | 'version_sort' | 'prerelease' | 'breaking'>;

// Oldest first. The rows are sorted here, because an ORDER BY would make the planner walk the index of the whole
// registry. A source has either visible releases (listing 2) or, while it is hidden, releases that would be visible
// (-2).
async function datedReleases(
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
function versionSpan(releases: readonly DatedRelease[]): VersionSpan {
  const stable = releases.filter((release) => release.prerelease === 0 && release.version !== null);
  const keyed = stable.filter((release) => release.version_sort !== null);
  keyed.sort((a, b) => compareVersionKeys(a.version_sort ?? '', b.version_sort ?? ''));
  const sorted = keyed.length > 0 ? keyed : stable;
  return { earliestVersion: sorted.at(0)?.version ?? null, latestVersion: sorted.at(-1)?.version ?? null };
}
