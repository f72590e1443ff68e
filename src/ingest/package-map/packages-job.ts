// The manifests of a repository are looked at once a week, and when a release has come.
import { findSource, isUnlisted } from '../../catalog/resolve.ts';
import { type Context, transact } from '../../context.ts';
import { wasRead } from '../../domain/fetch-outcome.ts';
import { factsOf, readerOf } from '../../domain/source-types.ts';
import { createAdapterContext } from '../adapters/adapter-context.ts';
import type { ClaimedJob } from '../queue/job.ts';
import type { JobSurroundings } from '../queue/job-handler.ts';
import { complete, handBack } from '../queue/lease.ts';
import { noteBudget } from '../state/budget.ts';
import { refreshPackageMap } from './refresh.ts';

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;
const RETRY_HOURS = 24;

export async function runPackages(ctx: Context, job: ClaimedJob, { signal, tools }: JobSurroundings): Promise<void> {
  const { lease } = job;
  const sourceInOrg = job.sourceId === null ? null : await findSource(ctx, { src: job.sourceId });
  // What a lookup has made speaks for no package until somebody has shown it.
  if (!sourceInOrg || !factsOf(readerOf(sourceInOrg.source)).isRepository || isUnlisted(sourceInOrg.source)) {
    return transact(ctx, (inner) => complete(inner, lease, null), 'bookkeeping');
  }
  if (sourceInOrg.source.fetch_priority === 'paused' || sourceInOrg.org?.fetch_paused) {
    return transact(ctx, (inner) => complete(inner, lease, inHours(ctx, WEEK_HOURS)), 'bookkeeping');
  }
  const adapterCtx = createAdapterContext(ctx, { model: tools.model, signal });
  const result = await refreshPackageMap(ctx, adapterCtx, sourceInOrg.source);
  if (signal.aborted && !wasRead(result.outcome)) return handBack(ctx, lease);
  const hours = wasRead(result.outcome) ? WEEK_HOURS : result.outcome === 'throttled' ? 1 : RETRY_HOURS;
  await transact(
    ctx,
    async (inner) => {
      await noteBudget(inner, { ...result, host: lease.host });
      await complete(inner, lease, inHours(ctx, hours));
    },
    'bookkeeping',
  );
}

function inHours(ctx: Context, hours: number): { dueAt: string } {
  return { dueAt: new Date(ctx.clock().getTime() + hours * HOUR_MS).toISOString() };
}
