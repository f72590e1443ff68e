// Sends a test delivery to the owner of a subscription. It is no stored event, so no other reader sees it.
import { type Context, transact } from '../context.ts';
import type { TestQueued } from '../contract/webhooks.ts';
import { newId } from '../domain/ids.ts';
import { PRIORITY } from './delivery/delivery.ts';
import { enqueueDeliveries } from './enqueue.ts';
import { takeTest } from './limits.ts';
import { lockSubscription, ownedSubscription, type SubscriptionOwner } from './subscriptions/owner.ts';

// A test of a disabled subscription is enqueued too, and the log shows it as skipped.
export async function sendTest(
  ctx: Context,
  { id, owner }: { id: string; owner: SubscriptionOwner },
): Promise<TestQueued> {
  await ownedSubscription(ctx, { id, owner });
  if (owner !== 'operator') await takeTest(ctx, { id, userId: owner.userId });
  return transact(
    ctx,
    async (ctx) => {
      await lockSubscription(ctx, { id, owner });
      const eventId = newId('evt', ctx.randomBytes);
      const body = renderTest({ id: eventId, ts: ctx.clock().getTime(), webUrl: ctx.config.webUrl });
      const [deliveryId = ''] = await enqueueDeliveries(ctx, id, [
        { eventId, eventSeq: 0, replay: 0, priority: PRIORITY.test, body },
      ]);
      return { enqueued: true, eventId, deliveryId };
    },
    'bookkeeping',
  );
}

function renderTest({ id, ts, webUrl }: { id: string; ts: number; webUrl: string }): string {
  return JSON.stringify({
    id,
    seq: 0,
    ts,
    type: 'release.created',
    release: {
      id: 'rel_synthetic',
      title: 'Webhook test',
      version: null,
      publishedAt: null,
      sourceName: 'synthetic',
      sourceSlug: 'synthetic',
      sourceType: 'feed',
      org: null,
      product: null,
      webUrl,
      summary: 'This is a test of your webhook. No release was published.',
      titleGenerated: null,
      titleShort: null,
      media: [],
      contentChars: null,
      contentTokens: null,
      security: false,
    },
  });
}
