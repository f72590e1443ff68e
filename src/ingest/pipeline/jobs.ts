// What a worker does with each kind of job. A handler ends the lease itself, in the transaction of its result.
import { type Context, transact } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { runVectorCoverage } from '../coverage/vector-job.ts';
import { runMedia } from '../media/job.ts';
import { runPackages } from '../package-map/packages-job.ts';
import { type ClaimedJob, LEASES_TO_LOSE, LeaseLost } from '../queue/job.ts';
import { complete, handBack, putOff } from '../queue/lease.ts';
import { runReapplying } from '../reapply/job.ts';
import { CLOCKS, type Clock } from '../schedule/clocks.ts';
import { runArticles } from './articles-job.ts';
import { runChangelog } from './changelog-job.ts';
import { runBackfill, runFetch } from './fetch-job.ts';
import type { JobHandler, JobSurroundings } from './job-handler.ts';
import { reportLost } from './lost-job.ts';
import { kindOf } from './read-source.ts';
import { toolsOf } from './tools.ts';

export type JobHandlers = Readonly<Record<string, JobHandler>>;

// A line here is all that a new kind of job needs.
const HANDLERS: JobHandlers = {
  fetch: runFetch,
  backfill: runBackfill,
  changelog: runChangelog,
  packages: runPackages,
  articles: runArticles,
  reapply: runReapplying,
  media: runMedia,
  coverage: runVectorCoverage,
  ...Object.fromEntries(CLOCKS.map((clock) => [clock.kind, clockHandler(clock)])),
};

/** Never throws: what goes wrong puts the job off, and is in the log. */
export async function runJob(
  ctx: Context,
  job: ClaimedJob,
  {
    signal,
    tools = toolsOf(ctx),
    handlers = HANDLERS,
  }: Partial<JobSurroundings> & { signal: AbortSignal; handlers?: JobHandlers },
): Promise<void> {
  const service = { ...ctx, caller: SYSTEM };
  try {
    const handler = handlers[job.kind];
    if (job.attempts > LEASES_TO_LOSE) await reportLost(service, job);
    // Another version of the program made it, and has a worker for it.
    else if (!handler) await leaveToOthers(service, job);
    else await handler(service, job, { signal, tools });
  } catch (err) {
    if (err instanceof LeaseLost) return;
    ctx.log.error({ err, job: job.key }, 'a job failed');
    await putOff(service, job.lease, kindOf(err)).catch((cause) =>
      ctx.log.error({ err: cause, job: job.key }, 'a job could not be put off'),
    );
  }
}

const UNKNOWN_WAIT_MS = 3_600_000;

async function leaveToOthers(ctx: Context, { lease, key }: ClaimedJob): Promise<void> {
  ctx.log.warn({ job: key }, 'this worker does not know such jobs');
  const dueAt = new Date(ctx.clock().getTime() + UNKNOWN_WAIT_MS).toISOString();
  await transact(ctx, (inner) => complete(inner, lease, { dueAt }), 'bookkeeping');
}

// A lease ends after fifteen minutes at the latest; what is longer goes on in the next run.
const CLOCK_LIMIT_MS = 12 * 60_000;

function clockHandler(clock: Clock): JobHandler {
  return async (ctx, job, { signal }) => {
    const limit = AbortSignal.timeout(CLOCK_LIMIT_MS);
    await clock.run(ctx, AbortSignal.any([signal, limit]));
    if (signal.aborted) return handBack(ctx, job.lease);
    const next = limit.aborted ? ctx.clock() : clock.next(ctx.clock());
    await transact(ctx, (inner) => complete(inner, job.lease, { dueAt: next.toISOString() }), 'bookkeeping');
  };
}
