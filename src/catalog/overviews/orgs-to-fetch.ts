// Orgs whose sources should be read before anything is written about them.
import { type Context, queries } from '../../context.ts';
import { tierMs } from '../../domain/fetch-schedule.ts';

// Those with a visible source that was never read, or not within the interval of its tier; paused ones are not waited for.
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
