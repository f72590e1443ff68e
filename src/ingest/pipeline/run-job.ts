// Runs one claimed job to its end, whatever its handler does. A handler completes the lease itself, in the transaction of its
// result.

import { type Context, transact } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { failureText } from '../../domain/fetching/outcome.ts';
import { recordFetch } from '../../entities/registry/record-fetch.ts';
import { TaskStopped } from '../../threads/task.ts';
import { toolsOf } from '../adapters/adapter-context.ts';
import { type ClaimedJob, type JobHandler, type JobSurroundings, LEASES_TO_LOSE, LeaseLost } from '../queue/job.ts';
import { complete, putOff } from '../queue/lease.ts';
import { recordStopped } from './follow-ups.ts';
import { kindOf } from './read-source.ts';

export type JobHandlers = Readonly<Record<string, JobHandler>>;

export interface JobRun extends Partial<JobSurroundings> {
  job: ClaimedJob;
  signal: AbortSignal;
}

// Never throws: an error puts the job off and is logged.
export async function runJobWith(
  handlers: JobHandlers,
  ctx: Context,
  { job, signal, tools = toolsOf(ctx) }: JobRun,
): Promise<void> {
  const service = { ...ctx, caller: SYSTEM };
  try {
    const handler = handlers[job.kind];
    if (job.attempts > LEASES_TO_LOSE) await reportLost(service, job);
    // A job of another version of the program is left to that version's workers.
    else if (!handler) await leaveToOthers(service, job);
    else await handler(service, job, { signal, tools });
  } catch (err) {
    if (err instanceof LeaseLost) return;
    const end =
      err instanceof TaskStopped ? reportStopped(service, job, err) : putOff(service, job.lease, failed(ctx, job, err));
    await end.catch((cause) => {
      if (!(cause instanceof LeaseLost)) ctx.log.error({ err: cause, job: job.key }, 'a job could not be put off');
    });
  }
}

function failed(ctx: Context, { key }: ClaimedJob, err: unknown): string {
  ctx.log.error({ err, job: key }, 'a job failed');
  return kindOf(err);
}

const STOPPED_WAIT_MS = 24 * 3_600_000;

// The document will hardly cost less in a minute, so the job waits a day.
async function reportStopped(ctx: Context, job: ClaimedJob, error: TaskStopped): Promise<void> {
  ctx.log.warn({ job: job.key, limit: error.message }, 'reading a document met a limit and was stopped');
  const dueAt = new Date(ctx.clock().getTime() + STOPPED_WAIT_MS).toISOString();
  await transact(
    ctx,
    async (ctx) => {
      await recordStopped(ctx, job, error);
      await complete(ctx, job.lease, { dueAt });
    },
    'derived',
  );
}

const UNKNOWN_WAIT_MS = 3_600_000;

async function leaveToOthers(ctx: Context, { lease, key }: ClaimedJob): Promise<void> {
  ctx.log.warn({ job: key }, 'this worker does not know such jobs');
  const dueAt = new Date(ctx.clock().getTime() + UNKNOWN_WAIT_MS).toISOString();
  await transact(ctx, (ctx) => complete(ctx, lease, { dueAt }), 'bookkeeping');
}

const LOST_WAIT_MS = 24 * 3_600_000;

// Every worker that tried this job has died, so it is reported and dropped.
async function reportLost(ctx: Context, job: ClaimedJob): Promise<void> {
  const { lease, sourceId, key, kind, attempts } = job;
  const dueAt = new Date(ctx.clock().getTime() + LOST_WAIT_MS).toISOString();
  ctx.log.error({ job: key, attempts }, 'every worker that took this job was lost');
  await transact(
    ctx,
    async (ctx) => {
      if (sourceId !== null && (kind === 'fetch' || kind === 'backfill')) {
        await recordFetch(ctx, {
          sourceId,
          trigger: 'schedule',
          result: 'error',
          error: failureText('error', 'worker_lost'),
          releasesFound: 0,
          releasesInserted: 0,
          requests: 0,
        });
        await ctx.tx.updateTable('sources').set({ next_fetch_after: dueAt }).where('id', '=', sourceId).execute();
      }
      await complete(ctx, lease, { dueAt });
    },
    'derived',
  );
}
