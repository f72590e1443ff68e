// A fetch that a caller waits for. It is a job of the highest priority that the waiting process claims out of turn; otherwise
// a worker does it.

import { type Context, now, transact } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { recordAudit } from '../../entities/audit.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { sleep, systemTimers, type Timers } from '../../net/timers.ts';
import type { FetchTools } from '../adapters/adapter-context.ts';
import { hostOf } from '../adapters/index.ts';
import { claimKey } from '../queue/claim.ts';
import { enqueue } from '../queue/enqueue.ts';
import { holdLease } from '../queue/hold-lease.ts';
import { lockHost, readHost } from '../queue/host-state.ts';
import { MANUAL_PRIORITY } from '../queue/kinds.ts';
import { fetchKey } from '../schedule/fetch-jobs.ts';
import { fetchSource } from './fetch-source.ts';
import type { RunReport } from './report.ts';
import { type JobOptions, readFetchOptions } from './report.ts';

export type RequestedOptions = Omit<JobOptions, 'trigger' | 'anyway'>;

const LOOK_AGAIN_MS = 250;
const BUSY_SECONDS = 30;

// Without a model an agent source cannot be read; the request is recorded on the source.
export async function flagSource(ctx: Context, { source }: SourceInOrg): Promise<void> {
  await transact(ctx, async (ctx) => {
    const changes = { change_detected_at: now(ctx) };
    await ctx.tx.updateTable('sources').set(changes).where('id', '=', source.id).execute();
    await recordAudit(ctx, { action: 'source.flag', targetType: 'source', targetId: source.id, after: changes });
  });
}

// Puts the fetch first in the queue and returns the key of its job.
export async function enqueueFetch(
  ctx: Context,
  { source }: SourceInOrg,
  requested: RequestedOptions,
): Promise<string> {
  const host = hostOf(source, ctx.config.upstream);
  // A preview is a job of its own, so that it does not replace the next fetch.
  const keys = { fetch: fetchKey(source.id), preview: `preview:${source.id}` };
  const key = requested.dryRun ? keys.preview : keys.fetch;
  return transact(ctx, async (ctx) => {
    await lockHost(ctx.tx, host);
    await readHost(ctx.tx, host, now(ctx));
    const running = await ctx.tx
      .selectFrom('jobs')
      .select('key')
      .where('key', 'in', Object.values(keys))
      .where('lease_until', '>', now(ctx))
      .executeTakeFirst();
    if (running) throw busy(source.id);
    const payload = { trigger: 'manual', ...requested };
    await enqueue(ctx, { key, kind: 'fetch', sourceId: source.id, host, priority: MANUAL_PRIORITY, payload });
    await recordAudit(ctx, { action: 'source.fetch', targetType: 'source', targetId: source.id, after: requested });
    return key;
  });
}

function busy(sourceId: string): ApiError {
  const details = { entity: 'source', id: sourceId };
  return new ApiError('busy', 'a fetch of this source is running', details, { 'Retry-After': String(BUSY_SECONDS) });
}

interface WaitOptions {
  // Raised when the caller no longer waits; a run that has begun continues.
  signal?: AbortSignal;
  // Raised when the process stops; a run that has begun is handed back.
  stop?: AbortSignal;
  timers?: Timers;
  tools?: FetchTools;
}

// Claims the job as soon as its host has a free slot. Null when it is left to a worker.
export async function runOrdered(ctx: Context, key: string, waiting: WaitOptions = {}): Promise<RunReport | null> {
  const { signal, stop, timers = systemTimers, tools } = waiting;
  for (;;) {
    const job = await claimKey(ctx, key);
    if (job === 'gone' || job === 'busy') return null;
    if (job === 'wait') {
      if (await sleep(timers, LOOK_AGAIN_MS, signal)) continue;
      return null;
    }
    const { lease, sourceId, payload } = job;
    const options = { ...readFetchOptions(payload), lease, tools };
    const run = (ended: AbortSignal) => fetchSource(ctx, sourceId ?? '', { ...options, signal: ended });
    return holdLease(ctx, { lease, work: run, signal: stop, timers });
  }
}
