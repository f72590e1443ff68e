// Enqueues deliveries that a person requested, and schedules the next look at their subscription.

import { sql } from 'kysely';
import { now, type WriteContext } from '../context.ts';
import { newId } from '../domain/ids.ts';
import { insertMany } from '../store/insert-many.ts';
import type { Queries } from '../store/schema/index.ts';
import type { WebhookDeliveryRow } from '../store/schema/webhooks.ts';

interface NewDelivery {
  eventId: string;
  eventSeq: number;
  replay: number;
  priority: number;
  // The body of a test, which is no stored event, or one that was rendered for this delivery.
  body?: string | null;
}

// Returns ids in the order of the input.
export async function enqueueDeliveries(
  ctx: WriteContext,
  subscriptionId: string,
  deliveries: readonly NewDelivery[],
): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const at = now(ctx);
  const rows = deliveries.map(
    (delivery): WebhookDeliveryRow => ({
      id: newId('dlv', ctx.randomBytes),
      subscription_id: subscriptionId,
      event_id: delivery.eventId,
      event_seq: delivery.eventSeq,
      replay: delivery.replay,
      attempt: 1,
      priority: delivery.priority,
      state: 'pending',
      due_at: at,
      lease_until: null,
      body: delivery.body ?? null,
      dead_at: null,
      created_at: at,
      done_at: null,
    }),
  );
  await insertMany(ctx.tx, 'webhook_deliveries', rows);
  await wakeSubscriptions(ctx.tx, [subscriptionId], at);
  return rows.map(({ id }) => id);
}

// Makes the next claim of any worker look at these subscriptions.
export async function wakeSubscriptions(tx: Queries, ids: readonly string[], at: string): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('webhook_subscriptions')
    .set({
      // A subscription that was never served queues by its creation time.
      claimed_at: sql<string>`COALESCE(claimed_at, created_at)`,
      next_due_at: sql<string>`CASE WHEN next_due_at < ${at} THEN next_due_at ELSE ${at} END`,
    })
    .where('id', 'in', ids)
    .execute();
}
