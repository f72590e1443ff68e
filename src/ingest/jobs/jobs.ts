// The handler of each kind of job.
import { type Context, transact } from '../../context.ts';
import { runVectorCoverage } from '../coverage/vector-job.ts';
import { runEvidence } from '../evidence/job.ts';
import { runMedia } from '../media/job.ts';
import { runPackages } from '../package-map/packages-job.ts';
import { runArticles } from '../pipeline/articles-job.ts';
import { runChangelog } from '../pipeline/changelog-job.ts';
import { runBackfill, runFetch } from '../pipeline/fetch-job.ts';
import { type JobHandlers, type JobRun, runJobWith } from '../pipeline/run-job.ts';
import type { ClaimedJob, JobHandler } from '../queue/job.ts';
import { complete, handBack } from '../queue/lease.ts';
import { runReadings } from '../readings/job.ts';
import { runReapplying } from '../reapply/job.ts';
import { runListings } from '../registries/job.ts';
import { CLOCKS, type Clock } from './clocks.ts';

// A new kind of job is one line here.
const HANDLERS: JobHandlers = {
  fetch: runFetch,
  backfill: runBackfill,
  changelog: runChangelog,
  packages: runPackages,
  listings: runListings,
  articles: runArticles,
  reapply: runReapplying,
  media: runMedia,
  evidence: runEvidence,
  coverage: runVectorCoverage,
  reading: runReadings,
  ...Object.fromEntries(CLOCKS.map((clock) => [clock.kind, clockHandler(clock)])),
};

export function runJob(
  ctx: Context,
  job: ClaimedJob,
  { handlers = HANDLERS, ...run }: Omit<JobRun, 'job'> & { handlers?: JobHandlers },
): Promise<void> {
  return runJobWith(handlers, ctx, { job, ...run });
}

// Work longer than this continues in the next run, because a lease ends after fifteen minutes at the latest.
const CLOCK_LIMIT_MS = 12 * 60_000;

function clockHandler(clock: Clock): JobHandler {
  return async (ctx, job, { signal }) => {
    const limit = AbortSignal.timeout(CLOCK_LIMIT_MS);
    await clock.run(ctx, AbortSignal.any([signal, limit]));
    if (signal.aborted) return handBack(ctx, job.lease);
    const next = limit.aborted ? ctx.clock() : clock.next(ctx.clock());
    await transact(ctx, (ctx) => complete(ctx, job.lease, { dueAt: next.toISOString() }), 'bookkeeping');
  };
}
