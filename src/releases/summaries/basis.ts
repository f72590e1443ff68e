// A short fingerprint of the releases of a period: unchanged as long as none was added, edited or withdrawn.
import { sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';

export interface SummaryPeriod {
  // The bounds of the release dates; the end is exclusive.
  from: string;
  to: string;
}

export function monthPeriod(year: number, month: number): SummaryPeriod {
  const start = (y: number, m: number) => new Date(Date.UTC(y, m, 1)).toISOString();
  return { from: start(year, month - 1), to: start(year, month) };
}

export function rollingPeriod(ctx: Context, windowDays: number): SummaryPeriod {
  const end = ctx.clock().getTime() + 1;
  return { from: new Date(end - windowDays * 86_400_000).toISOString(), to: new Date(end).toISOString() };
}

export function releasesOf(ctx: Context, sourceId: string, { from, to }: SummaryPeriod) {
  return queries(ctx)
    .selectFrom('releases')
    .where('source_id', '=', sourceId)
    .where('listing', '=', 2)
    .where('published_at', 'is not', null)
    .where('feed_at', '>=', from)
    .where('feed_at', '<', to);
}

const COUNT = sql<number>`COUNT(*)`.as('count');
const BASIS = sql<string | null>`COUNT(*) || ':' || SUM(seq) || ':' || MAX(updated_at)`.as('basis');

export async function periodBasis(ctx: Context, sourceId: string, period: SummaryPeriod): Promise<string> {
  const row = await releasesOf(ctx, sourceId, period).select(BASIS).executeTakeFirst();
  return row?.basis ?? 'none';
}

export interface MonthBasis {
  year: number;
  month: number;
  count: number;
  basis: string;
}

// The fingerprints of all past months with releases.
export async function monthBases(ctx: Context, sourceId: string): Promise<MonthBasis[]> {
  const thisMonth = now(ctx).slice(0, 7);
  const rows = await releasesOf(ctx, sourceId, { from: '0', to: thisMonth })
    .select([sql<string>`substr(feed_at, 1, 7)`.as('month'), COUNT, BASIS])
    .groupBy(sql`substr(feed_at, 1, 7)`)
    .orderBy('month')
    .execute();
  return rows.map((row) => ({
    year: Number(row.month.slice(0, 4)),
    month: Number(row.month.slice(5, 7)),
    count: Number(row.count),
    basis: row.basis ?? 'none',
  }));
}
