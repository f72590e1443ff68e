// Holds a lease while work runs, and tells the work when it is no longer ours.
import type { Context } from '../../context.ts';
import { systemTimers, type Timers } from '../../net/timers.ts';
import { renewLease } from '../../store/lease.ts';
import { HEARTBEAT_MS, type JobLease } from './job.ts';
import { heartbeat } from './lease.ts';

interface HoldLease {
  // Raised when the worker stops.
  signal?: AbortSignal;
  timers?: Timers;
}

// The signal that the work gets is raised by the caller's, and when another worker has taken the job over.
export async function holdLease<T>(
  ctx: Context,
  lease: JobLease,
  work: (signal: AbortSignal) => Promise<T>,
  { signal, timers = systemTimers }: HoldLease = {},
): Promise<T> {
  const lost = new AbortController();
  const stop = renewLease({
    everyMs: HEARTBEAT_MS,
    timers,
    renew: async () => {
      const isOurs = await heartbeat(ctx, lease);
      if (!isOurs) lost.abort();
      return isOurs;
    },
    onError: (err) => ctx.log.warn({ err, job: lease.jobId }, 'a lease could not be extended'),
  });
  try {
    return await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal);
  } finally {
    void stop();
  }
}
