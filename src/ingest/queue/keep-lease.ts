// Holds a lease while work runs, and tells the work when it is no longer ours.
import type { Context } from '../../context.ts';
import { systemTimers, type Timers } from '../../net/timers.ts';
import { HEARTBEAT_MS, type Lease } from './job.ts';
import { heartbeat } from './lease.ts';

interface KeepLease {
  // Raised when the worker stops.
  signal?: AbortSignal;
  timers?: Timers;
}

/** The signal that the work gets is raised by the caller's, and when another worker has taken the job over. */
export async function keepLease<T>(
  ctx: Context,
  lease: Lease,
  work: (signal: AbortSignal) => Promise<T>,
  { signal, timers = systemTimers }: KeepLease = {},
): Promise<T> {
  const lost = new AbortController();
  let cancel = () => {};
  let over = false;
  // One at a time: of two on their way the older could arrive last and shorten the lease.
  const beat = () => {
    if (over || lost.signal.aborted) return;
    cancel = timers.after(HEARTBEAT_MS, () => {
      heartbeat(ctx, lease)
        .then((ours) => (ours ? undefined : lost.abort()))
        // The lease outlasts a few missed beats.
        .catch((err) => ctx.log.warn({ err, job: lease.jobId }, 'a lease could not be extended'))
        .then(beat);
    });
  };
  beat();
  try {
    return await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal);
  } finally {
    over = true;
    cancel();
  }
}
