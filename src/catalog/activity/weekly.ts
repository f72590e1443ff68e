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
import type { SourceRow } from '../../store/schema.ts';
import { openOrg, openProduct } from '../open.ts';
import { type ProductPath, resolveSource, type SourcePath } from '../resolve.ts';
import { countedSources } from './counted-sources.ts';
import { dayCountsBySource } from './day-counts.ts';
import { averagePerWeek, firstOfLast, PACE_DAYS } from './pace.ts';
import { type DatedVersion, versionSpan } from './versions.ts';

export interface AskedRange {
  from?: string;
  to?: string;
}

export async function orgActivity(ctx: Context, input: AskedRange & { org: string }): Promise<OrgActivity> {
  checkRange(input);
  const { id, slug, name } = await openOrg(ctx, input.org);
  return { org: { slug, name }, ...(await groupActivity(ctx, await countedSources(ctx, { orgId: id }), input)) };
}

export async function productActivity(ctx: Context, path: ProductPath, asked: AskedRange): Promise<ProductActivity> {
  checkRange(asked);
  const { id, slug, name } = (await openProduct(ctx, path)).product;
  return {
    product: { slug, name },
    ...(await groupActivity(ctx, await countedSources(ctx, { productId: id }), asked)),
  };
}

export async function sourceActivity(ctx: Context, path: SourcePath, asked: AskedRange): Promise<SourceActivity> {
  checkRange(asked);
  const { source, org } = await resolveSource(ctx, path);
  const range = await effectiveRange(ctx, [source.id], asked);
  const releases = (await releasesBySource(ctx, [source.id], range)).get(source.id) ?? [];
  return {
    source: { slug: source.slug, name: source.name, orgSlug: org?.slug ?? null, orgName: org?.name ?? null },
    range,
    weeklyBuckets: weeklyBuckets(releases),
  };
}

function checkRange({ from, to }: AskedRange): void {
  if (from !== undefined && parseDay(from) === null) throw badRequest('from', 'must be a date (YYYY-MM-DD)');
  if (to !== undefined && parseDay(to) === null) throw badRequest('to', 'must be a date (YYYY-MM-DD)');
  if (from !== undefined && to !== undefined && from > to) throw badRequest('from', 'must not be later than to');
}

async function groupActivity(ctx: Context, sources: readonly SourceRow[], asked: AskedRange): Promise<GroupActivity> {
  const ids = sources.map((source) => source.id);
  const today = utcDay(now(ctx));
  const range = await effectiveRange(ctx, ids, asked);
  const releases = await releasesBySource(ctx, ids, range);
  const paces = await dayCountsBySource(ctx, { sourceIds: ids, from: firstOfLast(PACE_DAYS, today) });
  const firstDates = await firstDatesOf(ctx, ids);
  const rows = sources.map((source): SourceActivityRow => {
    const own = releases.get(source.id) ?? [];
    return {
      slug: source.slug,
      name: source.name,
      releaseCount: own.length,
      avgReleasesPerWeek: averagePerWeek({
        counts: paces.get(source.id) ?? new Map(),
        firstDate: firstDates.get(source.id) ?? null,
        today,
      }),
      ...versionSpan(own),
      latestDate: own.at(-1)?.feed_at ?? null,
      weeklyBuckets: weeklyBuckets(own),
    };
  });
  const all = weeklyBuckets([...releases.values()].flat());
  return { range, sources: rows, aggregateWeekly: all.map(({ weekStart, count }) => ({ weekStart, count })) };
}

// An end that was not asked for is that of the dated releases, and never on the wrong side of the other one.
async function effectiveRange(ctx: Context, sourceIds: readonly string[], asked: AskedRange): Promise<DayRange> {
  if (asked.from !== undefined && asked.to !== undefined) return { from: asked.from, to: asked.to };
  const today = utcDay(now(ctx));
  const row = await queries(ctx)
    .selectFrom('source_figures')
    .select(({ fn }) => [fn.min('first_date').as('first'), fn.max('latest_date').as('last')])
    .where('source_id', 'in', [...sourceIds, ''])
    .executeTakeFirst();
  const first = row?.first ? utcDay(row.first) : today;
  const last = row?.last ? utcDay(row.last) : today;
  if (asked.from !== undefined) return { from: asked.from, to: last > asked.from ? last : asked.from };
  if (asked.to !== undefined) return { from: first < asked.to ? first : asked.to, to: asked.to };
  return { from: first, to: last };
}

async function firstDatesOf(ctx: Context, sourceIds: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await queries(ctx)
    .selectFrom('source_figures')
    .select(['source_id', 'first_date'])
    .where('source_id', 'in', [...sourceIds, ''])
    .execute();
  return new Map(rows.map((row) => [row.source_id, row.first_date]));
}

// Oldest first. A source has either shown releases (2) or, while it is hidden, ones that would be shown (-2).
async function releasesBySource(
  ctx: Context,
  sourceIds: readonly string[],
  range: DayRange,
): Promise<Map<string, DatedVersion[]>> {
  const end = `${range.to}T23:59:59.999Z`;
  const present = now(ctx);
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(['source_id', 'feed_at', 'version', 'version_sort', 'prerelease'])
    .where('source_id', 'in', [...sourceIds, ''])
    .where('listing', 'in', [2, -2])
    .where('feed_at', '>=', range.from)
    .where('feed_at', '<=', end < present ? end : present)
    .orderBy('feed_at')
    .execute();
  const found = new Map<string, DatedVersion[]>();
  for (const { source_id, ...row } of rows) {
    const list = found.get(source_id) ?? [];
    list.push({ ...row, day: utcDay(row.feed_at) });
    found.set(source_id, list);
  }
  return found;
}

function weeklyBuckets(releases: readonly DatedVersion[]): WeeklyBucket[] {
  const weeks = Map.groupBy(releases, (release) => mondayOf(release.day));
  return [...weeks]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([weekStart, own]) => ({ weekStart, count: own.length, ...versionSpan(own) }));
}
