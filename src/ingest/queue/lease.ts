// Extends and ends leases. A worker commits its result together with the check that it still owns the job.
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { toJson } from '../../store/json-text.ts';
import type { JobPayload, JobRow } from '../../store/schema/jobs.ts';
import { wakeHost } from './enqueue.ts';
import { lockHost, refreshHost } from './host-state.ts';
import { type JobLease, LEASE_LIMIT_MS, LEASE_MS, LeaseLost } from './job.ts';

// False when the lease is lost and the work should stop.
export async function heartbeat(ctx: Context, lease: JobLease): Promise<boolean> {
  const at = ctx.clock().getTime();
  return ctx.store.transaction(async (tx) => {
    const job = await tx
      .selectFrom('jobs')
      .select('leased_at')
      .where('id', '=', lease.jobId)
      .where('lease_token', '=', lease.token)
      .executeTakeFirst();
    if (!job) return false;
    const until = Math.min(at + LEASE_MS, Date.parse(job.leased_at ?? '') + LEASE_LIMIT_MS);
    const row = await tx
      .updateTable('jobs')
      .set({ lease_until: new Date(until).toISOString() })
      .where('id', '=', lease.jobId)
      .where('lease_token', '=', lease.token)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }, 'bookkeeping');
}

// For a run that commits in several transactions: throws `LeaseLost`, and locks the job until this one ends.
export async function confirmLease(ctx: WriteContext, lease: JobLease): Promise<{ againAt: string | null }> {
  const row = await ctx.tx
    .updateTable('jobs')
    .set((eb) => ({ attempts: eb.ref('attempts') }))
    .where('id', '=', lease.jobId)
    .where('lease_token', '=', lease.token)
    .returning('again_at')
    .executeTakeFirst();
  if (!row) throw new LeaseLost();
  return { againAt: row.again_at };
}

export interface NextRun {
  dueAt: string;
  priority?: number;
  payload?: JobPayload;
  host?: string;
  basis?: string | null;
}

// Ends the job, or sets its next run; a job that was ordered again meanwhile stays. Throws `LeaseLost`, which rolls the
// caller's transaction back.
export async function complete(ctx: WriteContext, lease: JobLease, next: NextRun | null): Promise<void> {
  const host = await lockHost(ctx.tx, lease.host);
  const { againAt } = await confirmLease(ctx, lease);
  if (!next && againAt === null) {
    await ctx.tx.deleteFrom('jobs').where('id', '=', lease.jobId).execute();
  } else {
    const dueAt = next && (againAt === null || next.dueAt < againAt) ? next.dueAt : (againAt ?? now(ctx));
    await release(ctx, lease, { due_at: dueAt, attempts: 0, last_error: null, ...columnsOf(next) });
    if (next?.host !== undefined && next.host !== lease.host) await wakeHost(ctx.tx, next.host, dueAt);
  }
  await refreshHost(ctx.tx, host, now(ctx));
}

function columnsOf(next: NextRun | null): Partial<JobRow> {
  if (!next) return {};
  const { priority, payload, host, basis } = next;
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(payload === undefined ? {} : { payload: toJson(payload) }),
    ...(host === undefined ? {} : { host }),
    ...(basis === undefined ? {} : { basis }),
  };
}

async function release(ctx: WriteContext, lease: JobLease, columns: Partial<JobRow>): Promise<void> {
  await ctx.tx
    .updateTable('jobs')
    .set({ lease_until: null, leased_at: null, again_at: null, ...columns })
    .where('id', '=', lease.jobId)
    .execute();
}

// Returns the job unchanged, for a worker that stops. A lost lease is ignored.
export async function handBack(ctx: Context, lease: JobLease): Promise<void> {
  await letGo(ctx, lease, (job) => ({ attempts: Math.max(0, job.attempts - 1) }));
}

const FIRST_RETRY_MS = 60_000;
const LAST_RETRY_MS = 3_600_000;

// Retries a job later after an internal error; counted like a lost lease.
export async function putOff(ctx: Context, lease: JobLease, reason: string): Promise<void> {
  await letGo(ctx, lease, (job) => {
    const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, job.attempts - 1), LAST_RETRY_MS);
    return { due_at: new Date(ctx.clock().getTime() + wait).toISOString(), last_error: reason };
  });
}

async function letGo(ctx: Context, lease: JobLease, columns: (job: JobRow) => Partial<JobRow>): Promise<void> {
  await transact(
    ctx,
    async (ctx) => {
      const host = await lockHost(ctx.tx, lease.host);
      const job = await ctx.tx
        .selectFrom('jobs')
        .selectAll()
        .where('id', '=', lease.jobId)
        .where('lease_token', '=', lease.token)
        .executeTakeFirst();
      if (!job) return;
      await release(ctx, lease, columns(job));
      await refreshHost(ctx.tx, host, now(ctx));
    },
    'bookkeeping',
  );
}
