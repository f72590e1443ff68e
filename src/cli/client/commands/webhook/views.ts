// Webhooks and deliveries as tables and records.
import type { DeliveryRow, SavedWebhook, WebhookSubscription } from '../../../../contract/webhooks.ts';
import type { Field } from '../../output.ts';
import type { Column } from '../../table.ts';
import { day, scoped } from '../../views.ts';

export const WEBHOOK_COLUMNS: readonly Column<WebhookSubscription>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'FOR', value: scopeOf },
  { title: 'TO', value: ({ url }) => url, flexible: true },
  { title: 'FORMAT', value: ({ format }) => format },
  {
    title: 'STATE',
    value: ({ enabled }) => (enabled ? 'on' : 'paused'),
    tone: ({ enabled }) => (enabled ? null : 'dim'),
  },
  {
    title: 'HEALTH',
    value: ({ deliveryHealth }) => deliveryHealth,
    tone: ({ deliveryHealth }) => (deliveryHealth === 'healthy' ? 'green' : 'red'),
  },
];

export const DELIVERY_COLUMNS: readonly Column<DeliveryRow>[] = [
  { title: 'TIME', value: ({ timestamp }) => timestamp },
  {
    title: 'OUTCOME',
    value: ({ outcome }) => outcome,
    tone: ({ outcome }) => (outcome === 'success' ? 'green' : outcome === 'skipped' ? 'dim' : 'red'),
  },
  { title: 'STATUS', value: ({ http_status }) => http_status || '' },
  { title: 'MS', value: ({ latency_ms }) => latency_ms },
  { title: 'TRY', value: ({ attempt }) => attempt },
  { title: 'ERROR', value: ({ error_message }) => error_message, flexible: true },
  { title: 'DELIVERY', value: ({ delivery_id }) => delivery_id },
  { title: 'EVENT', value: ({ event_id }) => event_id, plainOnly: true },
];

export function webhookFields(webhook: SavedWebhook): Field[] {
  return [
    ['id', webhook.id],
    ['for', scopeOf(webhook)],
    ['to', webhook.url],
    ['format', webhook.format],
    ['type', webhook.releaseType],
    ['pre-releases', !webhook.excludePrereleases],
    ['description', webhook.description],
    ['state', webhook.enabled ? 'on' : `paused${webhook.disabledReason ? `: ${webhook.disabledReason}` : ''}`],
    ['health', `${webhook.deliveryHealth}: ${webhook.deliveryHealthSummary}`],
    ['last success', webhook.lastSuccessAt],
    ['last error', webhook.lastErrorAt && `${webhook.lastErrorAt} ${webhook.lastErrorMsg ?? ''}`],
    ['old key until', webhook.previousKeyExpiresAt],
    ['created', day(webhook.createdAt)],
    ['signing key', webhook.signingKey],
    ['standard secret', webhook.standardSecret],
  ];
}

function scopeOf({ scope, orgSlug, sourceSlug, productSlug }: WebhookSubscription): string {
  if (scope === 'follows') return 'all that is followed';
  return scoped(orgSlug, sourceSlug ?? productSlug ?? '*');
}
