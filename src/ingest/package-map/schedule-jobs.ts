// Every repository that is polled has a job of its own that reads its manifests each week. A new release orders it;
// those that have none yet get it here.
import { sql } from 'kysely';
import { type Context, transact } from '../../context.ts';
import { hostOf } from '../adapters/index.ts';
import { enqueue } from '../queue/enqueue.ts';
import { jobKey } from '../queue/kinds.ts';

const BATCH = 500;
// The first reading of all of them must not meet at one hour.
const SPREAD_MS = 24 * 3_600_000;

// Returns how many jobs were made.
export async function schedulePackageJobs(ctx: Context, signal?: AbortSignal): Promise<number> {
  let made = 0;
  while (!signal?.aborted) {
    const sources = await withoutJob(ctx);
    const at = ctx.clock().getTime();
    const orders = sources.map((source, index) => ({
      key: jobKey('packages', source.id),
      kind: 'packages' as const,
      sourceId: source.id,
      host: hostOf(source, ctx.config.upstream),
      dueAt: new Date(at + Math.floor((index * SPREAD_MS) / BATCH)).toISOString(),
    }));
    if (orders.length > 0) await transact(ctx, (inner) => enqueue(inner, orders), 'bookkeeping');
    made += orders.length;
    if (orders.length < BATCH) break;
  }
  return made;
}

function withoutJob(ctx: Context) {
  return ctx.store.read
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('jobs as j', (join) => join.on(sql<boolean>`j.key = 'packages:' || s.id`))
    .selectAll('s')
    .where('j.id', 'is', null)
    .where('s.deleted_at', 'is', null)
    .where('s.github_coordinate', 'is not', null)
    .where('s.last_fetched_at', 'is not', null)
    .where('s.fetch_priority', '<>', 'paused')
    .where((eb) => eb.not(eb.and([eb('s.is_hidden', '=', 1), eb('s.discovery', '=', 'on_demand')])))
    .where((eb) =>
      eb.or([eb('s.org_id', 'is', null), eb.and([eb('o.fetch_paused', '=', 0), eb('o.deleted_at', 'is', null)])]),
    )
    .orderBy('s.id')
    .limit(BATCH)
    .execute();
}
