// When an overview is due for generation, and how much has happened since its last change.

import { sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { OverviewOwner } from '../../entities/overviews/read.ts';
import type { PageRow } from '../../store/schema/insight.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;
const BUSY_DAYS = 2;
const BUSY_RELEASES = 15;

interface OverviewState {
  org: Pick<OrgRow, 'auto_generate_content' | 'overview_cadence_days'>;
  page: Pick<PageRow, 'generated_at' | 'updated_at'> | undefined;
  // The number published since the last change of the page; without a page, in the last 90 days.
  newReleases: number;
  now: Date;
}

export function isOverviewDue({ org, page, newReleases, now }: OverviewState): boolean {
  if (!org.auto_generate_content || newReleases === 0) return false;
  if (!page) return true;
  const cadence = org.overview_cadence_days ?? (newReleases >= BUSY_RELEASES ? BUSY_DAYS : USUAL_DAYS);
  return now.getTime() - Date.parse(page.generated_at) >= cadence * DAY_MS;
}

const FIRST_LOOK_DAYS = 90;
// A release may be fetched long after its publication; older ones would not enter an overview anyway.
const LATE_DAYS = 30;
// A higher number does not change when an overview is due.
const MAX_COUNTED = 20;

// The releases since the last change of the page; without a page, those of the last 90 days.
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
    .limit(MAX_COUNTED);
  const row = await queries(ctx)
    .selectFrom(newest.as('newest'))
    .select(sql<number>`COUNT(*)`.as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function daysBefore(at: string, days: number): string {
  return new Date(Date.parse(at) - days * DAY_MS).toISOString();
}
