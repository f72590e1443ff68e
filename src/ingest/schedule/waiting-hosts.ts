// Hosts that asked to be left alone for a while, and an operator who ends that.

import { type Context, now, queries, transact } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { WaitingHost, WaitReason } from '../../contract/holds.ts';
import { cappedWait } from '../../domain/net/rate-limit.ts';
import { recordAudit } from '../../entities/audit.ts';
import { enqueue } from '../queue/enqueue.ts';
import { later, lockHost, refreshHost } from '../queue/host-state.ts';
import { fetchKey } from './fetch-jobs.ts';

const MAX_ROWS = 500;

// The longest wait first.
export async function waitingHosts(ctx: Context): Promise<WaitingHost[]> {
  const hosts = await queries(ctx)
    .selectFrom('hosts as h')
    .select(['h.host', 'h.next_request_at as until', 'h.wait_reason as reason'])
    .select((eb) =>
      eb
        .selectFrom('jobs as j')
        .select(({ fn }) => fn.count<number>('j.source_id').distinct().as('sources'))
        .whereRef('j.host', '=', 'h.host')
        .where('j.kind', '=', 'fetch')
        .as('sources'),
    )
    .where('h.wait_reason', 'is not', null)
    .where('h.next_request_at', '>', now(ctx))
    .orderBy('h.next_request_at', 'desc')
    .limit(MAX_ROWS)
    .execute();
  const found = new Map<string, WaitingHost>();
  for (const { host, until, reason, sources } of hosts) {
    found.set(host, { host, until: until ?? now(ctx), reason: reason as WaitReason, sources: Number(sources ?? 0) });
  }
  for (const { host, until, sources } of await throttledHosts(ctx)) {
    const known = found.get(host);
    if (known) known.until = later(until, known.until);
    else found.set(host, { host, until, reason: 'throttled', sources: Number(sources) });
  }
  return [...found.values()].sort((a, b) => (a.until < b.until ? 1 : a.until > b.until ? -1 : 0));
}

// Hosts that limit single sources; the others at the same host go on.
async function throttledHosts(ctx: Context) {
  const rows = await throttledSources(ctx)
    .select(['j.host'])
    .select(({ fn }) => [fn.max('s.next_fetch_after').as('until'), fn.countAll<number>().as('sources')])
    .groupBy('j.host')
    .limit(MAX_ROWS)
    .execute();
  return rows.flatMap(({ until, ...row }) => (until === null ? [] : [{ ...row, until }]));
}

function throttledSources(ctx: Context) {
  return queries(ctx)
    .selectFrom('sources as s')
    .innerJoin('jobs as j', 'j.source_id', 's.id')
    .where('j.kind', '=', 'fetch')
    .where('s.last_outcome', '=', 'throttled')
    .where('s.next_fetch_after', '>', now(ctx));
}

// The host may be asked at once, and so may every source of it that was throttled. Returns how many are read again.
export async function endWait(ctx: Context, host: string): Promise<number> {
  return transact(ctx, async (ctx) => {
    const waiting = (await waitingHosts(ctx)).find((one) => one.host === host);
    if (!waiting) throw notFound('waiting host', host);
    const row = await lockHost(ctx.tx, host);
    const free = { next_request_at: null, wait_reason: null, budget: null };
    await ctx.tx.updateTable('hosts').set(free).where('host', '=', host).execute();
    const throttled = await throttledSources(ctx).select('s.id').where('j.host', '=', host).execute();
    const orders = throttled.map(({ id }) => ({ key: fetchKey(id), sourceId: id }));
    await enqueue(
      ctx,
      orders.map((order) => ({ ...order, kind: 'fetch' as const, host, payload: { anyway: true } })),
    );
    await refreshHost(ctx.tx, { ...row, ...free }, now(ctx));
    await recordAudit(ctx, { action: 'host.end_wait', targetType: 'host', targetId: host, before: waiting });
    return throttled.length;
  });
}

// Waits that were stored before they had a limit.
export async function shortenWaits(ctx: Context): Promise<void> {
  const limit = cappedWait(new Date(8.64e15), ctx.clock()).toISOString();
  const long = await ctx.store.read.selectFrom('hosts').select('host').where('next_request_at', '>', limit).execute();
  if (long.length === 0) return;
  await transact(
    ctx,
    async (ctx) => {
      for (const { host } of long) {
        const row = await lockHost(ctx.tx, host);
        await ctx.tx.updateTable('hosts').set({ next_request_at: limit }).where('host', '=', host).execute();
        await refreshHost(ctx.tx, { ...row, next_request_at: limit }, now(ctx));
      }
    },
    'bookkeeping',
  );
}
