// Whose subscriptions a call is about: those of one account, or all of them for an operator.
import { ownAccount } from '../../accounts/describe-caller.ts';
import { type Context, queries, type WriteContext } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';

export type SubscriptionOwner = { userId: string } | 'operator';

export function accountOwner(ctx: Context): { userId: string } {
  const { userId } = ownAccount(ctx);
  return { userId };
}

// Subscriptions of other accounts are reported as not found.
export async function ownedSubscription(ctx: Context, wanted: WantedSubscription): Promise<WebhookSubscriptionRow> {
  const row = await find(ctx, wanted).executeTakeFirst();
  if (!row) throw notFound('webhook', wanted.id);
  return row;
}

// Locks the row until the transaction ends.
export async function lockSubscription(ctx: WriteContext, wanted: WantedSubscription): Promise<WebhookSubscriptionRow> {
  const row = await find(ctx, wanted).modifyEnd(ctx.store.dialect.forUpdate).executeTakeFirst();
  if (!row) throw notFound('webhook', wanted.id);
  return row;
}

interface WantedSubscription {
  id: string;
  owner: SubscriptionOwner;
}

function find(ctx: Context, { id, owner }: WantedSubscription) {
  const query = queries(ctx).selectFrom('webhook_subscriptions').selectAll().where('id', '=', id);
  return owner === 'operator' ? query : query.where('user_id', '=', owner.userId);
}

// An operator may view and stop subscriptions of an account, but not change what they send.
export function isForeign(owner: SubscriptionOwner, row: Pick<WebhookSubscriptionRow, 'user_id'>): boolean {
  return owner === 'operator' && row.user_id !== null;
}
