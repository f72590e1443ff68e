import { type Context, now, transact } from '../context.ts';
import { takeNamedLease } from '../store/lease.ts';

const DAY_MS = 86_400_000;

// True for one process a day: nobody renews the lease, so nobody else gets it until it has ended.
export async function claimDay(ctx: Context, task: string): Promise<boolean> {
  const holder = Buffer.from(ctx.randomBytes(12)).toString('hex');
  const lease = { name: `daily:${task}`, holder, at: now(ctx), ms: DAY_MS };
  return transact(ctx, ({ tx, store }) => takeNamedLease(store, tx, lease), 'bookkeeping');
}
