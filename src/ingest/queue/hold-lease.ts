// Extends a lease while work runs, and aborts the work when another worker has taken it over.
import type { Context } from '../../context.ts';
import { systemTimers, type Timers } from '../../net/timers.ts';
import { renewLease } from '../../store/lease.ts';
import { HEARTBEAT_MS, type JobLease } from './job.ts';
import { heartbeat } from './lease.ts';

interface LeasedWork<T> {
  lease: JobLease;
  // Its signal is raised by the caller's signal, and when another worker has taken the job over.
  work: (signal: AbortSignal) => Promise<T>;
  // Raised when the worker stops.
  signal?: AbortSignal;
  timers?: Timers;
}

export async function holdLease<T>(
  ctx: Context,
  { lease, work, signal, timers = systemTimers }: LeasedWork<T>,
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
