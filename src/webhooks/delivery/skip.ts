// Deliveries that end without an attempt.
import { now, type WriteContext } from '../../context.ts';
import { insertMany } from '../../store/insert-many.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import { attemptRow } from './attempt-row.ts';
import type { WaitingDelivery } from './delivery.ts';

export async function writeSkipped(
  ctx: WriteContext,
  deliveries: readonly (WaitingDelivery & { subscription: WebhookSubscriptionRow })[],
  why: 'disabled' | 'release_withdrawn',
): Promise<void> {
  if (deliveries.length === 0) return;
  const at = now(ctx);
  await ctx.tx
    .updateTable('webhook_deliveries')
    .set({ state: 'done', done_at: at, lease_until: null })
    .where(
      'id',
      'in',
      deliveries.map(({ id }) => id),
    )
    .execute();
  const rows = deliveries.map((delivery) => attemptRow(ctx, delivery, { outcome: 'skipped', at, errorMessage: why }));
  await insertMany(ctx.tx, 'webhook_attempts', rows);
}
