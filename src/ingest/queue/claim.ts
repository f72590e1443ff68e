// Claims jobs. Hosts take turns, and no host exceeds its slots over all processes.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now } from '../../context.ts';
import type { Dialect } from '../../store/dialect.ts';
import { leaseEnd } from '../../store/lease.ts';
import type { Tx } from '../../store/schema/index.ts';
import type { HostRow } from '../../store/schema/jobs.ts';
import { hasFreeSlot, type LevelHead, later, lockHost, readHost, readyAt, startDelayMs } from './host-state.ts';
import { type ClaimedJob, claimedJob, LEASE_MS } from './job.ts';
import { rank } from './kinds.ts';

// The next job that may run now, with a lease on it; null when there is none.
export async function claim(ctx: Context): Promise<ClaimedJob | null> {
  for (;;) {
    const at = now(ctx);
    // An idle worker ends here in most passes, without a transaction.
    if (!(await anyReady(ctx, at))) return null;
    const step = await ctx.store.transaction((tx) => claimOnce(ctx, tx, at), 'bookkeeping');
    if (step !== 'nothing due') return step;
  }
}

async function anyReady(ctx: Context, at: string): Promise<boolean> {
  const row = await ctx.store.read
    .selectFrom('hosts')
    .select('host')
    .where('ready_at', '<=', at)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function claimOnce(ctx: Context, tx: Tx, at: string): Promise<ClaimedJob | 'nothing due' | null> {
  const { rows } = await nextHost(ctx.store.dialect, at).execute(tx);
  const [host] = rows;
  if (!host) return null;
  const state = await readHost(tx, host.host, at);
  const [best] = state.heads.filter((head) => head.due_at <= at).sort(byRank);
  const mayStart = host.next_request_at === null || host.next_request_at <= at;
  if (best && mayStart && hasFreeSlot(host.host, state)) return lease(ctx, { tx, host, jobId: best.id, at });
  // `ready_at` was too early; it is corrected, so that the next step looks at another host.
  await tx
    .updateTable('hosts')
    .set({ ready_at: readyAt(host, state) })
    .where('host', '=', host.host)
    .execute();
  return 'nothing due';
}

// The host that has been ready longest; among equals the one with the fewest turns.
export function nextHost(dialect: Dialect, at: string): RawBuilder<HostRow> {
  return sql<HostRow>`
    SELECT * FROM hosts WHERE ready_at <= ${at} ORDER BY ready_at, claims, host LIMIT 1 ${dialect.skipLocked}`;
}

function byRank(a: LevelHead, b: LevelHead): number {
  const difference = rank({ dueAt: a.due_at, priority: a.priority }) - rank({ dueAt: b.due_at, priority: b.priority });
  return difference || a.priority - b.priority;
}

async function lease(
  ctx: Context,
  { tx, host, jobId, at }: { tx: Tx; host: HostRow; jobId: string; at: string },
): Promise<ClaimedJob> {
  const row = await tx
    .updateTable('jobs')
    .set((eb) => ({
      lease_until: leaseEnd(at, LEASE_MS),
      leased_at: at,
      lease_token: eb('lease_token', '+', 1),
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', jobId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const delay = startDelayMs(ctx.config, host.host, host.crawl_delay_ms);
  const next = {
    ...host,
    next_request_at: delay > 0 ? new Date(Date.parse(at) + delay).toISOString() : host.next_request_at,
  };
  const ready = readyAt(next, await readHost(tx, host.host, at));
  await tx
    .updateTable('hosts')
    .set((eb) => ({
      next_request_at: next.next_request_at,
      // The host goes behind every host that is ready now, so that hosts take turns.
      ready_at: ready === null ? null : later(ready, at),
      wait_reason: null,
      claims: eb('claims', '+', 1),
      claimed_at: at,
    }))
    .where('host', '=', host.host)
    .execute();
  return claimedJob(row);
}

type Taken = ClaimedJob | 'busy' | 'wait' | 'gone';

// Claims one job out of turn, for a caller that waits. `wait`: its host has no free slot or needs a pause.
export async function claimKey(ctx: Context, key: string): Promise<Taken> {
  const known = await ctx.store.read.selectFrom('jobs').select('host').where('key', '=', key).executeTakeFirst();
  if (!known) return 'gone';
  return ctx.store.transaction(async (tx) => {
    const at = now(ctx);
    const host = await lockHost(tx, known.host);
    const state = await readHost(tx, host.host, at);
    const job = await tx.selectFrom('jobs').selectAll().where('key', '=', key).executeTakeFirst();
    if (!job || job.host !== host.host) return 'gone';
    if (job.lease_until !== null) return 'busy';
    const mayStart = host.next_request_at === null || host.next_request_at <= at;
    return mayStart && hasFreeSlot(host.host, state) ? lease(ctx, { tx, host, jobId: job.id, at }) : 'wait';
  }, 'bookkeeping');
}
