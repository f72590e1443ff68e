// The worker's tasks of ingest: scheduling fetches and running the jobs of the queue.
import type { Context } from '../context.ts';
import { type FetchTools, toolsOf } from '../ingest/adapters/adapter-context.ts';
import { scheduleEvidence } from '../ingest/evidence/orders.ts';
import { scheduleClocks } from '../ingest/jobs/clocks.ts';
import { runJob } from '../ingest/jobs/jobs.ts';
import type { JobHandlers } from '../ingest/pipeline/run-job.ts';
import { claim } from '../ingest/queue/claim.ts';
import { holdLease } from '../ingest/queue/hold-lease.ts';
import type { ClaimedJob } from '../ingest/queue/job.ts';
import { handBack } from '../ingest/queue/lease.ts';
import { forgetOldBudget, wakeAgents } from '../ingest/schedule/after-start.ts';
import { scheduleFetchJobs } from '../ingest/schedule/fetch-jobs.ts';
import { shortenWaits } from '../ingest/schedule/waiting-hosts.ts';
import { advanceStarter } from '../ingest/starter/advance.ts';
import { sleep, systemTimers, type Timers } from '../net/timers.ts';
import type { BackgroundTask } from './worker.ts';

const SCHEDULE_MS = 20_000;
const QUEUE_MS = 1000;
const STARTER_MS = 3000;

// The schedule comes first, so that one pass over all tasks also runs the jobs that it enqueues.
export function createFetching(pool: JobPool = {}): readonly BackgroundTask[] {
  return [
    { name: 'schedule', everyMs: SCHEDULE_MS, run: createScheduling(pool) },
    { name: 'starter', everyMs: STARTER_MS, run: readStarter },
    {
      name: 'jobs',
      everyMs: QUEUE_MS,
      run: async (ctx, signal) => {
        await runDueJobs(ctx, signal, pool);
        return 'idle';
      },
    },
  ];
}

async function readStarter(ctx: Context) {
  if (ctx.config.starter) await advanceStarter(ctx);
  return 'idle' as const;
}

function createScheduling({ tools }: JobPool): BackgroundTask['run'] {
  let started = false;
  return async (ctx: Context) => {
    if (!started) {
      await forgetOldBudget(ctx);
      await shortenWaits(ctx);
      if ((tools ?? toolsOf(ctx)).model !== null) await wakeAgents(ctx);
      started = true;
    }
    await scheduleClocks(ctx);
    await scheduleFetchJobs(ctx);
    await scheduleEvidence(ctx);
    return 'idle';
  };
}

interface JobPool {
  atOnce?: number;
  handlers?: JobHandlers;
  tools?: FetchTools;
  timers?: Timers;
}

// A fetch mostly waits for other servers, so many run at once.
const AT_ONCE = 16;
// While jobs run, others fall due, so the queue is checked again.
const LOOK_AGAIN_MS = 1000;

// Runs jobs of the queue side by side, as many as may run, until nothing is due and nothing runs.
export async function runDueJobs(ctx: Context, signal: AbortSignal, pool: JobPool = {}): Promise<void> {
  const { atOnce = AT_ONCE, timers = systemTimers, ...how } = pool;
  const running = new Set<Promise<void>>();
  const start = (job: ClaimedJob) => {
    const work = holdLease(ctx, {
      lease: job.lease,
      work: (ours) => runJob(ctx, job, { ...how, signal: ours }),
      signal,
      timers,
    });
    const run: Promise<void> = work.finally(() => {
      running.delete(run);
      ended += 1;
    });
    running.add(run);
  };
  let ended = 0;
  while (!signal.aborted) {
    let endedBefore = ended;
    while (running.size < atOnce) {
      endedBefore = ended;
      const job = await claim(ctx);
      if (!job) break;
      // The worker was stopped during the claim.
      if (signal.aborted) await handBack(ctx, job.lease);
      else start(job);
      if (signal.aborted) break;
    }
    if (running.size > 0) await oneEnds(running, timers);
    // A claim skips a host whose job is being committed. When a job has ended since the claim, it is repeated.
    else if (ended === endedBefore) break;
  }
  await Promise.all(running);
}

async function oneEnds(running: ReadonlySet<Promise<void>>, timers: Timers): Promise<void> {
  const over = new AbortController();
  await Promise.race([...running, sleep(timers, LOOK_AGAIN_MS, over.signal)]);
  over.abort();
}
