// Reads the manifests of a repository once a week, and after a new release.

import { sql } from 'kysely';
import { type Context, transact } from '../../context.ts';
import { wasRead } from '../../domain/fetching/outcome.ts';
import { factsOf, readerOf } from '../../domain/source-types.ts';
import { findSource, isUnlisted } from '../../entities/resolve.ts';
import { createAdapterContext } from '../adapters/adapter-context.ts';
import { hostOf } from '../adapters/index.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { ClaimedJob, JobSurroundings } from '../queue/job.ts';
import { jobKey } from '../queue/kinds.ts';
import { complete, handBack } from '../queue/lease.ts';
import { noteBudget } from '../state/budget.ts';
import { refreshPackageMap } from './refresh.ts';

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;
const RETRY_HOURS = 24;

export async function runPackages(ctx: Context, job: ClaimedJob, { signal, tools }: JobSurroundings): Promise<void> {
  const { lease } = job;
  const sourceInOrg = job.sourceId === null ? null : await findSource(ctx, { src: job.sourceId });
  // A hidden source of a lookup claims no packages until it is shown.
  if (!sourceInOrg || !factsOf(readerOf(sourceInOrg.source)).isRepository || isUnlisted(sourceInOrg.source)) {
    return transact(ctx, (ctx) => complete(ctx, lease, null), 'bookkeeping');
  }
  if (sourceInOrg.source.fetch_priority === 'paused' || sourceInOrg.org?.fetch_paused) {
    return transact(ctx, (ctx) => complete(ctx, lease, inHours(ctx, WEEK_HOURS)), 'bookkeeping');
  }
  const adapterCtx = createAdapterContext(ctx, { model: tools.model, signal });
  const result = await refreshPackageMap(ctx, adapterCtx, sourceInOrg.source);
  if (signal.aborted && !wasRead(result.outcome)) return handBack(ctx, lease);
  const hours = wasRead(result.outcome) ? WEEK_HOURS : result.outcome === 'throttled' ? 1 : RETRY_HOURS;
  await transact(
    ctx,
    async (ctx) => {
      await noteBudget(ctx, { ...result, host: lease.host });
      await complete(ctx, lease, inHours(ctx, hours));
    },
    'bookkeeping',
  );
}

function inHours(ctx: Context, hours: number): { dueAt: string } {
  return { dueAt: new Date(ctx.clock().getTime() + hours * HOUR_MS).toISOString() };
}

const BATCH = 500;
// First readings are spread, so that they do not run in one hour.
const SPREAD_MS = 24 * 3_600_000;

// Every polled repository has a weekly job that reads its manifests. Creates those that are missing and returns their number.
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
    if (orders.length > 0) await transact(ctx, (ctx) => enqueue(ctx, orders), 'bookkeeping');
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
