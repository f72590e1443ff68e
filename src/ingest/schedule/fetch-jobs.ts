// One pass of the scheduler: every polled source has one job, due by its plan. When a source has changed (by an operator, a
// run or an import), the basis of its plan differs and the plan is computed again.
import { sql } from 'kysely';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { AT_ONCE, type PollHours } from '../../domain/fetching/schedule.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { hostOf } from '../adapters/index.ts';
import { enqueue, wakeHost } from '../queue/enqueue.ts';
import type { JobOrder } from '../queue/job.ts';
import { PRIORITIES } from '../queue/kinds.ts';
import { basisOfTier, planFetch } from './plan.ts';

const BATCH = 500;
// So many new sources at once are an import, whose first runs are spread.
const BULK = 20;
const BULK_SPREAD_MS = 5 * 60_000;

export function fetchKey(sourceId: string): string {
  return `fetch:${sourceId}`;
}

// Returns how many jobs were created or moved.
export async function scheduleFetchJobs(ctx: Context): Promise<number> {
  let scheduled = 0;
  for (;;) {
    const found = await unplanned(ctx);
    if (found.length === 0) return scheduled;
    const written = await transact(ctx, (ctx) => plan(ctx, found), 'bookkeeping');
    scheduled += written;
    if (found.length < BATCH || written === 0) return scheduled;
  }
}

function basisSql(pollHours: PollHours) {
  const [normal, low] = ['normal', 'low'].map((priority) => sql.lit(basisOfTier(priority, pollHours)));
  return sql<string>`CASE s.fetch_priority WHEN 'normal' THEN ${normal} ELSE ${low} END
    || ' ' || COALESCE(s.last_polled_at, '') || ' ' || COALESCE(s.next_fetch_after, '')`;
}

interface Unplanned {
  id: string;
  job: string | null;
}

// Jobs that a caller waits for, or that run, are planned when they end.
async function unplanned(ctx: Context): Promise<Unplanned[]> {
  const { rows } = await sql<Unplanned>`
    SELECT s.id, j.id AS job FROM sources s
    LEFT JOIN orgs o ON o.id = s.org_id
    LEFT JOIN jobs j ON j.key = 'fetch:' || s.id
    WHERE s.deleted_at IS NULL AND s.fetch_priority <> 'paused'
      AND NOT (s.is_hidden = 1 AND s.discovery = 'on_demand')
      AND (s.org_id IS NULL OR (o.fetch_paused = 0 AND o.deleted_at IS NULL))
      AND (j.id IS NULL OR (j.lease_until IS NULL AND j.priority = ${sql.lit(PRIORITIES.fetch)}
        AND (j.basis IS NULL OR j.basis <> ${basisSql(ctx.config.pollHours)})))
    ORDER BY s.id LIMIT ${BATCH}`.execute(ctx.store.read);
  return rows;
}

async function plan(ctx: WriteContext, found: readonly Unplanned[]): Promise<number> {
  const ids = found.map(({ id }) => id);
  const sources = await ctx.tx.selectFrom('sources').selectAll().where('id', 'in', ids).orderBy('id').execute();
  const orgs = await orgsOf(ctx, sources);
  const { pollHours } = ctx.config;
  const orders = sources.flatMap((source): JobOrder[] => {
    const planned = planFetch({ source, org: orgs.get(source.org_id ?? '') ?? null, pollHours });
    if (!planned) return [];
    const host = hostOf(source, ctx.config.upstream);
    return [{ key: fetchKey(source.id), kind: 'fetch', sourceId: source.id, host, ...planned }];
  });
  const known = new Set(found.filter(({ job }) => job !== null).map(({ id }) => fetchKey(id)));
  const fresh = orders.filter(({ key }) => !known.has(key));
  await enqueue(ctx, spread(fresh, now(ctx)));
  for (const order of orders.filter(({ key }) => known.has(key))) await move(ctx, order);
  return orders.length;
}

async function orgsOf(ctx: WriteContext, sources: readonly SourceRow[]): Promise<Map<string, OrgRow>> {
  const ids = [...new Set(sources.flatMap((source) => source.org_id ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await ctx.tx.selectFrom('orgs').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((org) => [org.id, org]));
}

function spread(orders: readonly JobOrder[], at: string): JobOrder[] {
  const first = orders.filter((order) => order.dueAt === AT_ONCE);
  const step = first.length > BULK ? BULK_SPREAD_MS / first.length : 0;
  const start = Date.parse(at);
  const times = new Map(first.map(({ key }, index) => [key, new Date(start + Math.floor(index * step)).toISOString()]));
  return orders.map((order) => ({ ...order, dueAt: times.get(order.key) ?? order.dueAt }));
}

async function move(ctx: WriteContext, { key, dueAt = now(ctx), host = '', basis }: JobOrder): Promise<void> {
  await wakeHost(ctx.tx, host, dueAt);
  await ctx.tx
    .updateTable('jobs')
    .set({ due_at: dueAt, host, basis })
    .where('key', '=', key)
    .where('lease_until', 'is', null)
    .where('priority', '=', PRIORITIES.fetch)
    .execute();
}

// Sources whose fetch is due and does not run, the longest waiting first.
export async function dueSources(ctx: Context): Promise<string[]> {
  const rows = await ctx.store.read
    .selectFrom('jobs')
    .select('source_id')
    .where('kind', '=', 'fetch')
    .where('lease_until', 'is', null)
    .where('due_at', '<=', now(ctx))
    .where('key', 'like', 'fetch:%')
    .orderBy('due_at')
    .execute();
  return rows.flatMap((row) => row.source_id ?? []);
}
