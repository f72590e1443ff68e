import { type Context, queries } from '../../context.ts';
import { type PagePagination, paginate } from '../../contract/pagination.ts';
import type { WebhookSubscription } from '../../contract/webhooks.ts';
import { resolveOrg } from '../../entities/resolve.ts';
import { ownedSubscription, type SubscriptionOwner } from './owner.ts';
import { readRecord, subscriptionsWithNames, toRecord } from './record.ts';

// All webhooks of an account; it has at most eleven, so there are no pages.
export async function listOwn(
  ctx: Context,
  { owner, enabled }: { owner: { userId: string }; enabled?: boolean },
): Promise<{ subscriptions: WebhookSubscription[] }> {
  let query = subscriptionsWithNames(ctx).where('w.user_id', '=', owner.userId);
  if (enabled !== undefined) query = query.where('w.enabled', '=', enabled ? 1 : 0);
  const rows = await query.orderBy('w.created_at', 'desc').orderBy('w.id', 'desc').execute();
  return { subscriptions: rows.map((row) => toRecord(row, owner, ctx.clock())) };
}

export async function getSubscription(
  ctx: Context,
  { id, owner }: { id: string; owner: SubscriptionOwner },
): Promise<WebhookSubscription> {
  await ownedSubscription(ctx, { id, owner });
  return readRecord(ctx, id, owner);
}

interface AllFilter {
  org?: string;
  enabled?: boolean;
  owner?: 'admin' | 'user';
  page: number;
  limit: number;
}

export async function listAll(
  ctx: Context,
  filter: AllFilter,
): Promise<{ subscriptions: WebhookSubscription[]; pagination: PagePagination }> {
  const { page, limit } = filter;
  const orgId = filter.org === undefined ? undefined : (await resolveOrg(ctx, filter.org, { parameter: 'org' })).id;
  const matching = queries(ctx)
    .selectFrom('webhook_subscriptions as w')
    .$if(orgId !== undefined, (query) => query.where('w.org_id', '=', orgId ?? ''))
    .$if(filter.enabled !== undefined, (query) => query.where('w.enabled', '=', filter.enabled ? 1 : 0))
    .$if(filter.owner === 'admin', (query) => query.where('w.user_id', 'is', null))
    .$if(filter.owner === 'user', (query) => query.where('w.user_id', 'is not', null));
  const total = await matching.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await subscriptionsWithNames(ctx)
    .where('w.id', 'in', matching.select('w.id'))
    .orderBy('w.created_at', 'desc')
    .orderBy('w.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return {
    subscriptions: rows.map((row) => toRecord(row, 'operator', ctx.clock())),
    pagination: paginate({ page, limit, returned: rows.length, total: Number(total.total) }),
  };
}
