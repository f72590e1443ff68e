// A subscription as its owner sees it, with the names of its org, source and product.
import { type Context, queries } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { WebhookSubscription } from '../../contract/webhooks.ts';
import { deliveryHealth, deliveryHealthSummary } from '../../domain/webhooks/health.ts';
import { shownHost } from '../../domain/webhooks/target.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import { isForeign, type SubscriptionOwner } from './owner.ts';

type Names = Pick<
  WebhookSubscription,
  'orgSlug' | 'orgName' | 'sourceSlug' | 'sourceName' | 'productSlug' | 'productName' | 'stackName'
>;

type SubscriptionWithNames = WebhookSubscriptionRow & Names;

export function subscriptionsWithNames(ctx: Context) {
  return queries(ctx)
    .selectFrom('webhook_subscriptions as w')
    .leftJoin('orgs as o', 'o.id', 'w.org_id')
    .leftJoin('sources as s', 's.id', 'w.source_id')
    .leftJoin('products as p', 'p.id', 'w.product_id')
    .leftJoin('stacks as k', 'k.id', 'w.stack_id')
    .selectAll('w')
    .select(['o.slug as orgSlug', 'o.name as orgName', 's.slug as sourceSlug', 's.name as sourceName'])
    .select(['p.slug as productSlug', 'p.name as productName', 'k.name as stackName']);
}

export async function readRecord(ctx: Context, id: string, owner: SubscriptionOwner): Promise<WebhookSubscription> {
  const row = await subscriptionsWithNames(ctx).where('w.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('webhook', id);
  return toRecord(row, owner, ctx.clock());
}

export function toRecord(row: SubscriptionWithNames, owner: SubscriptionOwner, now: Date): WebhookSubscription {
  const facts = {
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    consecutiveFailures: row.consecutive_failures,
    failureStreakStartedAt: row.failure_streak_started_at,
    lastSuccessAt: row.last_success_at,
  };
  return {
    id: row.id,
    userId: row.user_id,
    scope: row.scope,
    orgId: row.org_id,
    orgSlug: row.orgSlug,
    orgName: row.orgName,
    sourceId: row.source_id,
    sourceSlug: row.sourceSlug,
    sourceName: row.sourceName,
    productId: row.product_id,
    productSlug: row.productSlug,
    productName: row.productName,
    stackName: row.stackName,
    releaseType: row.release_type,
    excludePrereleases: row.exclude_prereleases === 1,
    minBreaking: row.min_breaking,
    minImportance: row.min_importance,
    security: row.security === 1,
    url: isForeign(owner, row) ? shownHost(row.url) : row.url,
    description: row.description,
    format: row.format,
    secretVersion: row.secret_version,
    previousKeyExpiresAt: livingUntil(row, now),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastErrorAt: row.last_error_at,
    lastErrorMsg: row.last_error_msg,
    consecutiveLostEvents: row.consecutive_lost_events,
    ...facts,
    deliveryHealth: deliveryHealth(facts, now),
    deliveryHealthSummary: deliveryHealthSummary(facts, now),
  };
}

function livingUntil({ previous_key, previous_key_expires_at }: WebhookSubscriptionRow, now: Date): string | null {
  if (previous_key === null || previous_key_expires_at === null) return null;
  return previous_key_expires_at > now.toISOString() ? previous_key_expires_at : null;
}

// For the audit log, which must not contain addresses that could be secret.
export function withoutAddress(record: WebhookSubscription): WebhookSubscription {
  return { ...record, url: shownHost(record.url) };
}
