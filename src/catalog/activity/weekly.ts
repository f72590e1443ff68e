// Weekly release activity of an org, a product or one source.
import { type Context, now, queries } from '../../context.ts';
import type {
  GroupActivity,
  OrgActivity,
  ProductActivity,
  SourceActivity,
  SourceActivityRow,
  WeeklyBucket,
} from '../../contract/activity.ts';
import { mondayOf, utcDay } from '../../domain/timestamps.ts';
import type { SourceRow } from '../../store/schema.ts';
import { openOrg, openProduct } from '../open.ts';
import { type ProductPath, resolveSource, type SourcePath } from '../resolve.ts';
import { countedSources } from './counted-sources.ts';
import { type DatedRelease, datedReleases, versionSpan } from './dated-releases.ts';
import { dayCountsBySource } from './day-counts.ts';
import { averagePerWeek, firstOfLast, PACE_DAYS } from './pace.ts';
import { type AskedRange, checkRange, effectiveRange } from './range.ts';

export async function orgActivity(ctx: Context, input: { org: string; range: AskedRange }): Promise<OrgActivity> {
  checkRange(input.range);
  const { id, slug, name } = await openOrg(ctx, input.org);
  return { org: { slug, name }, ...(await groupActivity(ctx, await countedSources(ctx, { orgId: id }), input.range)) };
}

export async function productActivity(
  ctx: Context,
  input: { path: ProductPath; range: AskedRange },
): Promise<ProductActivity> {
  checkRange(input.range);
  const { id, slug, name } = (await openProduct(ctx, input.path)).product;
  const sources = await countedSources(ctx, { productId: id });
  return { product: { slug, name }, ...(await groupActivity(ctx, sources, input.range)) };
}

export async function sourceActivity(
  ctx: Context,
  input: { path: SourcePath; range: AskedRange },
): Promise<SourceActivity> {
  checkRange(input.range);
  const { source, org } = await resolveSource(ctx, input.path);
  const sourceIds = [source.id];
  const range = await effectiveRange(ctx, sourceIds, input.range);
  const releases = await datedReleases(ctx, { sourceIds, range });
  return {
    source: { slug: source.slug, name: source.name, orgSlug: org?.slug ?? null, orgName: org?.name ?? null },
    range,
    weeklyBuckets: weeklyBuckets(releases.get(source.id) ?? []),
  };
}

// Counts, versions and buckets are those of the range; the average is the one figure that every page shows.
async function groupActivity(ctx: Context, sources: readonly SourceRow[], asked: AskedRange): Promise<GroupActivity> {
  const sourceIds = sources.map((source) => source.id);
  const range = await effectiveRange(ctx, sourceIds, asked);
  const releases = await datedReleases(ctx, { sourceIds, range });
  const averages = await averagesOf(ctx, sourceIds);
  const rows = sources.map((source): SourceActivityRow => {
    const own = releases.get(source.id) ?? [];
    return {
      slug: source.slug,
      name: source.name,
      releaseCount: own.length,
      avgReleasesPerWeek: averages.get(source.id) ?? 0,
      ...versionSpan(own),
      latestDate: own.at(-1)?.feed_at ?? null,
      weeklyBuckets: weeklyBuckets(own),
    };
  });
  const all = weeklyBuckets([...releases.values()].flat());
  return { range, sources: rows, aggregateWeekly: all.map(({ weekStart, count }) => ({ weekStart, count })) };
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

function weeklyBuckets(releases: readonly DatedRelease[]): WeeklyBucket[] {
  const weeks = Map.groupBy(releases, (release) => mondayOf(utcDay(release.feed_at)));
  return [...weeks]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([weekStart, own]) => ({ weekStart, count: own.length, ...versionSpan(own) }));
}
