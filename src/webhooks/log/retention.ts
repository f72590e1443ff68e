// Events, deliveries and log rows are stored for 90 days.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';

const RETENTION_MS = 90 * 86_400_000;
// A batch is small enough that other writers wait only briefly.
const BATCH = 1000;

// Deletes one batch of each kind; true when there may be more.
export async function forgetOldDeliveries(ctx: Context): Promise<boolean> {
  const before = new Date(ctx.clock().getTime() - RETENTION_MS);
  const at = before.toISOString();
  const counts = [
    await forget(ctx, 'webhook_attempts', sql`created_at < ${at}`),
    await forget(ctx, 'webhook_deliveries', sql`created_at < ${at} AND state = 'done'`),
    // Events without fan-out are still to be delivered.
    await forget(ctx, 'events', sql`ts < ${before.getTime()} AND fanned_out_at IS NOT NULL`),
  ];
  return counts.some((count) => count >= BATCH);
}

async function forget(
  ctx: Context,
  table: 'webhook_attempts' | 'webhook_deliveries' | 'events',
  old: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows } = await ctx.store.transaction(
    (tx) =>
      sql`DELETE FROM ${sql.table(table)} WHERE id IN
        (SELECT id FROM ${sql.table(table)} WHERE ${old} LIMIT ${BATCH})`.execute(tx),
    'bookkeeping',
  );
  return Number(numAffectedRows ?? 0);
}
