// Counts of releases: the sources that count for an org or a product, how many releases of them came on each day, and the
// figures of the calendar that follow.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { Heatmap, NamedSubject } from '../../contract/activity.ts';
import { addDays, daysBetween, utcDay } from '../../domain/timestamps.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { openOrg, openProduct } from '../open.ts';
import { type ProductPath, resolveSource, type SourcePath } from '../resolve.ts';

export type CountedOwner = { orgId: string } | { productId: string };

// The sources whose releases count for an org or a product: visible ones, and those that would be visible if the owner
// and its org were. A writer thus reads the same figures of a hidden owner as after unhiding it. Expects sources and
// products under the aliases `s` and `p`.
export function isCounted(owner: CountedOwner): RawBuilder<boolean> {
  return 'productId' in owner
    ? sql<boolean>`s.deleted_at IS NULL AND s.is_hidden = 0 AND s.product_id = ${owner.productId}`
    : sql<boolean>`s.deleted_at IS NULL AND s.is_hidden = 0 AND s.org_id = ${owner.orgId}
        AND (p.is_hidden IS NULL OR p.is_hidden = 0)`;
}

export async function countedSources(ctx: Context, owner: CountedOwner): Promise<SourceRow[]> {
  return queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .selectAll('s')
    .where(isCounted(owner))
    .orderBy('s.name_key')
    .orderBy('s.id')
    .execute();
}

// Counts by source and day, from the table that writes maintain; no release is read.
export async function dayCountsBySource(
  ctx: Context,
  input: { sourceIds: readonly string[]; from: string; to?: string },
): Promise<Map<string, Map<string, number>>> {
  const found = new Map(input.sourceIds.map((id) => [id, new Map<string, number>()]));
  if (found.size === 0) return found;
  const rows = await queries(ctx)
    .selectFrom('release_days')
    .selectAll()
    .where('source_id', 'in', [...found.keys()])
    .where('day', '>=', input.from)
    .where('day', '<=', input.to ?? '9999-12-31')
    .orderBy('day')
    .execute();
  for (const row of rows) found.get(row.source_id)?.set(row.day, row.count);
  return found;
}

export function addUp(counts: Iterable<ReadonlyMap<string, number>>): Map<string, number> {
  const total = new Map<string, number>();
  for (const one of counts) {
    for (const [day, count] of one) total.set(day, (total.get(day) ?? 0) + count);
  }
  return total;
}

// Releases by UTC day; days without any are absent.
type DayCounts = ReadonlyMap<string, number>;

export const SPARKLINE_DAYS = 30;
export const PACE_DAYS = 90;

export function firstOfLast(days: number, today: string): string {
  return addDays(today, 1 - days);
}

export function sparkline(counts: DayCounts, today: string): number[] {
  return sparklineDays(today).map((day) => counts.get(day) ?? 0);
}

let latest: { today: string; days: string[] } = { today: '', days: [] };

// Lists of orgs need the same days hundreds of times, so the last result is cached.
function sparklineDays(today: string): string[] {
  if (latest.today !== today) {
    const first = firstOfLast(SPARKLINE_DAYS, today);
    latest = { today, days: Array.from({ length: SPARKLINE_DAYS }, (_, index) => addDays(first, index)) };
  }
  return latest.days;
}

function sumSince(counts: DayCounts, first: string): number {
  let total = 0;
  for (const [day, count] of counts) if (day >= first) total += count;
  return total;
}

export function recentCount(counts: DayCounts, today: string): number {
  return sumSince(counts, sparklineDays(today)[0] ?? today);
}

// The releases of the last 90 days per week of history; a history of less than a week gives the plain count.
export function averagePerWeek(input: { counts: DayCounts; firstDate: string | null; today: string }): number {
  const { counts, firstDate, today } = input;
  const total = sumSince(counts, firstOfLast(PACE_DAYS, today));
  if (total === 0 || firstDate === null) return 0;
  const span = Math.min(PACE_DAYS, daysBetween(utcDay(firstDate), today));
  return span < 7 ? total : Math.round((total / (span / 7)) * 10) / 10;
}

const HEATMAP_DAYS = 365;

export async function orgHeatmap(ctx: Context, input: { org: string }): Promise<{ org: NamedSubject } & Heatmap> {
  const { id, slug, name } = await openOrg(ctx, input.org);
  const sources = await countedSources(ctx, { orgId: id });
  return { org: { slug, name }, ...(await heatmap(ctx, sources)) };
}

export async function productHeatmap(ctx: Context, path: ProductPath): Promise<{ product: NamedSubject } & Heatmap> {
  const { id, slug, name } = (await openProduct(ctx, path)).product;
  const sources = await countedSources(ctx, { productId: id });
  return { product: { slug, name }, ...(await heatmap(ctx, sources)) };
}

export async function sourceHeatmap(ctx: Context, path: SourcePath): Promise<{ source: NamedSubject } & Heatmap> {
  const { source } = await resolveSource(ctx, path);
  return { source: { slug: source.slug, name: source.name }, ...(await heatmap(ctx, [source])) };
}

async function heatmap(ctx: Context, sources: readonly { id: string }[]): Promise<Heatmap> {
  const to = utcDay(now(ctx));
  const range = { from: firstOfLast(HEATMAP_DAYS, to), to };
  const counts = await dayCountsBySource(ctx, { sourceIds: sources.map((source) => source.id), ...range });
  const dailyCounts = [...addUp(counts.values())]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, count]) => ({ date, count }));
  return { range, dailyCounts, total: dailyCounts.reduce((sum, { count }) => sum + count, 0) };
}
