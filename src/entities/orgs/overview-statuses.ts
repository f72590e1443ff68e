// The overviews of all orgs by the number of newer releases, the highest first.
import { sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { OverviewStatus, OverviewStatuses } from '../../contract/overview-input.ts';
import { paginate } from '../../contract/pagination.ts';
import { tierMs } from '../../domain/fetching/schedule.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { firstOfLast, SPARKLINE_DAYS } from '../activity/counts.ts';
import { loadOrgFigures } from './org-fields.ts';

interface OverviewStatusesInput {
  // An overview of this age is behind as soon as there is a newer release.
  staleDays: number;
  missing?: boolean;
  // Only orgs with releases in the last 30 days.
  hasActivity?: boolean;
  // The response also contains the plan for each org.
  plan?: boolean;
  page: number;
  limit: number;
}

export async function overviewStatuses(ctx: Context, input: OverviewStatusesInput): Promise<OverviewStatuses> {
  const today = utcDay(now(ctx));
  const from = firstOfLast(SPARKLINE_DAYS, today);
  let orgs = queries(ctx).selectFrom(measured(ctx, from).as('org'));
  if (input.missing !== undefined) orgs = orgs.where('updated_at', input.missing ? 'is' : 'is not', null);
  if (input.hasActivity !== undefined) orgs = orgs.where('recent', input.hasActivity ? '>' : '=', 0);
  const counted = await orgs.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
  const rows = await orgs
    .selectAll()
    .orderBy('since', 'desc')
    .orderBy('name_key')
    .orderBy('id')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  const figures = await loadOrgFigures(ctx, { orgIds: rows.map((row) => row.id), from });
  const staleBefore = new Date(ctx.clock().getTime() - input.staleDays * 86_400_000).toISOString();
  const unread = input.plan ? await orgsToFetch(ctx, { orgIds: rows.map((row) => row.id) }) : null;
  const items = rows.map(
    (row): OverviewStatus => ({
      orgSlug: row.slug,
      orgName: row.name,
      orgCreatedAt: row.created_at,
      discovery: row.discovery,
      autoGenerateContent: row.auto_generate_content === 1,
      overviewUpdatedAt: row.updated_at,
      overviewGeneratedAt: row.generated_at,
      lastContributingReleaseAt: row.last_contributing_release_at,
      orgLastActivity: figures.get(row.id)?.lastActivity ?? null,
      releasesSinceOverview: Number(row.since),
      recentReleaseCount: Number(row.recent),
      staleness: stalenessOf(row, staleBefore),
      ...(unread && { action: actionOf(row, staleBefore), needsFetch: unread.has(row.id) }),
    }),
  );
  return { items, pagination: paginate({ ...input, returned: rows.length, total: Number(counted?.total ?? 0) }) };
}

function measured(ctx: Context, from: string) {
  return queries(ctx)
    .selectFrom('orgs as o')
    .leftJoin('pages as p', (join) =>
      join.onRef('p.org_id', '=', 'o.id').on('p.scope', '=', 'org').on('p.product_id', 'is', null),
    )
    .select(['o.id', 'o.slug', 'o.name', 'o.name_key', 'o.created_at', 'o.discovery', 'o.auto_generate_content'])
    .select(['p.generated_at', 'p.updated_at', 'p.last_contributing_release_at'])
    .select([releasesSince(ctx).as('since'), recentReleases(from).as('recent')])
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0);
}

// The releases published after the last change of the overview; all of them when there is none.
function releasesSince(ctx: Context) {
  return sql<number>`(CASE WHEN p.updated_at IS NULL THEN o.release_count ELSE
    (SELECT COUNT(*) FROM releases r WHERE r.org_id = o.id AND r.listing = 2 AND r.published_at IS NOT NULL
      AND r.feed_at > p.updated_at AND r.feed_at <= ${now(ctx)}) END)`;
}

function recentReleases(from: string) {
  return sql<number>`(SELECT COALESCE(SUM(d.count), 0) FROM sources s
    JOIN release_days d ON d.source_id = s.id LEFT JOIN products pr ON pr.id = s.product_id
    WHERE s.org_id = o.id AND s.deleted_at IS NULL AND s.is_hidden = 0 AND COALESCE(pr.is_hidden, 0) = 0
      AND d.day >= ${from})`;
}

function stalenessOf(row: { updated_at: string | null; since: number }, staleBefore: string) {
  if (row.updated_at === null) return 'missing';
  return Number(row.since) > 0 && row.updated_at < staleBefore ? 'behind' : 'fresh';
}

type PlannedAction = NonNullable<OverviewStatus['action']>;

function actionOf(
  row: { updated_at: string | null; since: number; auto_generate_content: number },
  staleBefore: string,
): PlannedAction {
  if (row.auto_generate_content === 0) return 'opted_out';
  const staleness = stalenessOf(row, staleBefore);
  return staleness === 'behind' ? 'refresh' : staleness === 'fresh' ? 'skip' : staleness;
}

// Orgs whose sources should be fetched before an overview is generated: those with a visible source that was never
// fetched, or not within the interval of its tier. Paused sources are ignored.
export async function orgsToFetch(ctx: Context, { orgIds }: { orgIds: readonly string[] }): Promise<Set<string>> {
  if (orgIds.length === 0) return new Set();
  const rows = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['s.org_id', 's.fetch_priority', 's.last_fetched_at'])
    .where('s.org_id', 'in', orgIds)
    .where('s.deleted_at', 'is', null)
    .where('s.is_hidden', '=', 0)
    .where((eb) => eb.or([eb('p.is_hidden', 'is', null), eb('p.is_hidden', '=', 0)]))
    .execute();
  const at = ctx.clock().getTime();
  const due = rows.filter(({ fetch_priority, last_fetched_at }) => {
    const interval = tierMs(fetch_priority, ctx.config.pollHours);
    return interval !== null && (last_fetched_at === null || at - Date.parse(last_fetched_at) > interval);
  });
  return new Set(due.flatMap(({ org_id }) => org_id ?? []));
}
