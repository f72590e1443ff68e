// How much has happened since an overview was last changed.
import { sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { PageRow } from '../../store/schema.ts';
import type { OverviewOwner } from './read.ts';

const DAY_MS = 86_400_000;
const FIRST_LOOK_DAYS = 90;
// A release may be fetched long after it was published; older ones would not enter an overview anyway.
const LATE_DAYS = 30;
// More than these change nothing about when an overview is due.
const MOST_COUNTED = 20;

/** Without a page: in the last 90 days. */
export async function newReleases(
  ctx: Context,
  { org, product }: OverviewOwner,
  page: Pick<PageRow, 'updated_at'> | undefined,
): Promise<number> {
  const since = page?.updated_at ?? daysBefore(now(ctx), FIRST_LOOK_DAYS);
  const newest = queries(ctx)
    .selectFrom('releases')
    .select('id')
    .where(product ? 'product_id' : 'org_id', '=', product ? product.id : org.id)
    .where('listing', '=', 2)
    .where('published_at', 'is not', null)
    .where('feed_at', '>', page ? daysBefore(since, LATE_DAYS) : since)
    .where('feed_at', '<=', now(ctx))
    .where((eb) => eb.or([eb('feed_at', '>', since), eb('fetched_at', '>', since)]))
    .limit(MOST_COUNTED);
  const row = await queries(ctx)
    .selectFrom(newest.as('newest'))
    .select(sql<number>`COUNT(*)`.as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function daysBefore(at: string, days: number): string {
  return new Date(Date.parse(at) - days * DAY_MS).toISOString();
}
