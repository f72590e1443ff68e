import { type Context, transact } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { recordAudit } from '../../entities/audit.ts';
import { ownedSubscription, type SubscriptionOwner } from './owner.ts';
import { readRecord, withoutAddress } from './record.ts';

// Deletes a subscription with its waiting deliveries and log rows.
export async function deleteSubscription(
  ctx: Context,
  { id, owner }: { id: string; owner: SubscriptionOwner },
): Promise<void> {
  await transact(ctx, async (ctx) => {
    await ownedSubscription(ctx, { id, owner });
    const before = withoutAddress(await readRecord(ctx, id, owner));
    const { numDeletedRows } = await ctx.tx.deleteFrom('webhook_subscriptions').where('id', '=', id).executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound('webhook', id);
    if (owner !== 'operator') return;
    await recordAudit(ctx, { action: 'webhook.delete', targetType: 'webhook', targetId: id, before });
  });
}
