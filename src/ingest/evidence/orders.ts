// Which order comes next, and the job that works on orders. There is one job for all of them, so that no pair is compared
// twice and no host is asked for two packages at once.

import { type Context, now, transact } from '../../context.ts';
import { volumeOfToday } from '../../packages/evidence/volume.ts';
import type { EvidenceOrderRow } from '../../store/schema/evidence.ts';
import { enqueue } from '../queue/enqueue.ts';

const KEY = 'evidence';

// Null when nothing is due, or nothing more may be downloaded today for those who wait.
export async function nextOrder(ctx: Context): Promise<EvidenceOrderRow | null> {
  const { left } = await volumeOfToday(ctx);
  if (!ctx.config.evidence.on || left.all <= 0) return null;
  let orders = ctx.store.read.selectFrom('evidence_orders').selectAll().where('due_at', '<=', now(ctx));
  if (left.anonymous <= 0) orders = orders.where('anonymous', '=', 0);
  const row = await orders
    .orderBy('priority')
    .orderBy('published_at', 'desc')
    .orderBy('ordered_at')
    .orderBy('name')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function scheduleEvidence(ctx: Context): Promise<void> {
  if ((await nextOrder(ctx)) === null) return;
  const waiting = await ctx.store.read
    .selectFrom('jobs')
    .select('key')
    .where('key', '=', KEY)
    .where((eb) => eb.or([eb('lease_until', '>', now(ctx)), eb('due_at', '<=', now(ctx))]))
    .executeTakeFirst();
  if (!waiting) await transact(ctx, (ctx) => enqueue(ctx, { key: KEY, kind: 'evidence' }), 'bookkeeping');
}
