// The worker's share of ingest: keeping the schedule, and doing the jobs of the queue.
import type { Context } from '../context.ts';
import { toolsOf } from '../ingest/adapters/adapter-context.ts';
import { scheduleClocks } from '../ingest/jobs/clocks.ts';
import { forgetOldBudget, wakeAgents } from '../ingest/schedule/after-start.ts';
import { scheduleFetchJobs } from '../ingest/schedule/fetch-jobs.ts';
import { type JobPool, runDueJobs } from './job-pool.ts';
import type { BackgroundTask } from './maintenance.ts';

const SCHEDULE_MS = 20_000;
const QUEUE_MS = 1000;

// The schedule comes first, so that one pass over all tasks fetches what is new.
export function createFetching(pool: JobPool = {}): readonly BackgroundTask[] {
  return [
    { name: 'schedule', everyMs: SCHEDULE_MS, run: createScheduling(pool) },
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

function createScheduling({ tools }: JobPool): BackgroundTask['run'] {
  let started = false;
  return async (ctx: Context) => {
    if (!started) {
      await forgetOldBudget(ctx);
      if ((tools ?? toolsOf(ctx)).model !== null) await wakeAgents(ctx);
      started = true;
    }
    await scheduleClocks(ctx);
    await scheduleFetchJobs(ctx);
    return 'idle';
  };
}
