// Replays one event: a new delivery with the same event id and bytes, and the full retry schedule.
import { type Context, queries, transact, type WriteContext } from '../../context.ts';
import { ApiError, notFound } from '../../contract/errors.ts';
import type { ReplayQueued } from '../../contract/webhooks.ts';
import type { WebhookDeliveryRow } from '../../store/schema/webhooks.ts';
import { PRIORITY } from '../delivery/delivery.ts';
import { enqueueDeliveries } from '../enqueue.ts';
import { takeReplay } from '../limits.ts';
import { refuseDisabled } from '../refusals.ts';
import { lockSubscription, ownedSubscription, type SubscriptionOwner } from '../subscriptions/owner.ts';

interface ReplayInput {
  id: string;
  owner: SubscriptionOwner;
  deliveryId: string;
}

export async function replayDelivery(ctx: Context, input: ReplayInput): Promise<ReplayQueued> {
  await ownedSubscription(ctx, input);
  await takeReplay(ctx, input.id);
  return transact(ctx, (ctx) => replay(ctx, input), 'bookkeeping');
}

// Replays a dead letter and removes it from the list; after another failure it returns under its new id.
export async function replayDeadLetter(ctx: Context, { deliveryId }: { deliveryId: string }): Promise<ReplayQueued> {
  const dead = await findDelivery(ctx, deliveryId);
  if (dead.dead_at === null) throw notFound('delivery', deliveryId);
  const { subscription_id: id } = dead;
  await takeReplay(ctx, id);
  return transact(
    ctx,
    async (ctx) => {
      const queued = await replay(ctx, { id, owner: 'operator', deliveryId });
      await ctx.tx.updateTable('webhook_deliveries').set({ dead_at: null }).where('id', '=', deliveryId).execute();
      return queued;
    },
    'bookkeeping',
  );
}

async function replay(ctx: WriteContext, { id, owner, deliveryId }: ReplayInput): Promise<ReplayQueued> {
  const subscription = await lockSubscription(ctx, { id, owner });
  const delivery = await findDelivery(ctx, deliveryId);
  if (delivery.subscription_id !== id) throw notFound('delivery', deliveryId);
  if (delivery.priority === PRIORITY.test) {
    throw new ApiError('conflict', 'a test is not replayed; send another test', { field: 'deliveryId' });
  }
  if (subscription.enabled === 0) throw refuseDisabled();
  const { event_id: eventId, event_seq: eventSeq } = delivery;
  await requireStored(ctx, eventId);
  const numberOf = await nextReplayNumbers(ctx, id, [eventId]);
  const fresh = { eventId, eventSeq, replay: numberOf(eventId), priority: PRIORITY.replay, body: delivery.body };
  const [freshId = ''] = await enqueueDeliveries(ctx, id, [fresh]);
  return { deliveryId: freshId, eventId };
}

async function findDelivery(ctx: Context, id: string): Promise<WebhookDeliveryRow> {
  const row = await queries(ctx).selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('delivery', id);
  return row;
}

// Events that are no longer stored cannot be replayed.
async function requireStored(ctx: Context, eventId: string): Promise<void> {
  const event = await queries(ctx).selectFrom('events').select('id').where('id', '=', eventId).executeTakeFirst();
  if (!event) throw notFound('event', eventId);
}

// Replays of an event to one subscription are numbered from 1; number 0 is the live delivery. Called under the lock of the
// subscription, so that no number is used twice.
export async function nextReplayNumbers(
  ctx: WriteContext,
  subscriptionId: string,
  eventIds: readonly string[],
): Promise<(eventId: string) => number> {
  const rows = await ctx.tx
    .selectFrom('webhook_deliveries')
    .select(['event_id', ({ fn }) => fn.max('replay').as('highest')])
    .where('subscription_id', '=', subscriptionId)
    .where('event_id', 'in', eventIds)
    .groupBy('event_id')
    .execute();
  const highest = new Map(rows.map((row) => [row.event_id, Number(row.highest)]));
  return (eventId) => (highest.get(eventId) ?? 0) + 1;
}
