// Runs jobs of the queue side by side, as many as may run, until nothing is due and nothing runs.
import type { Context } from '../context.ts';
import type { FetchTools } from '../ingest/adapters/adapter-context.ts';
import { runJob } from '../ingest/jobs/jobs.ts';
import type { JobHandlers } from '../ingest/pipeline/run-job.ts';
import { claim } from '../ingest/queue/claim.ts';
import { holdLease } from '../ingest/queue/hold-lease.ts';
import type { ClaimedJob } from '../ingest/queue/job.ts';
import { handBack } from '../ingest/queue/lease.ts';
import { sleep, systemTimers, type Timers } from '../net/timers.ts';

export interface JobPool {
  atOnce?: number;
  handlers?: JobHandlers;
  tools?: FetchTools;
  timers?: Timers;
}

// A fetch mostly waits for other servers, so many run at once.
const AT_ONCE = 16;
// While jobs run, others fall due, so the queue is checked again.
const LOOK_AGAIN_MS = 1000;

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
    // A claim passes over a host whose job is being committed; when that has ended meanwhile, it has to look again.
    else if (ended === endedBefore) break;
  }
  await Promise.all(running);
}

async function oneEnds(running: ReadonlySet<Promise<void>>, timers: Timers): Promise<void> {
  const over = new AbortController();
  await Promise.race([...running, sleep(timers, LOOK_AGAIN_MS, over.signal)]);
  over.abort();
}
