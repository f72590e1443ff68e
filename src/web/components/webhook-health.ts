// The health of a webhook's deliveries, in words that say since when.
import type { WebhookSubscription } from '../../contract/webhooks.ts';
import { type Html, html, plural } from './html.ts';
import { exact } from './time.ts';

type ShownHealth = Pick<
  WebhookSubscription,
  | 'deliveryHealth'
  | 'disabledReason'
  | 'consecutiveFailures'
  | 'failureStreakStartedAt'
  | 'lastSuccessAt'
  | 'lastErrorAt'
>;

const MARKS = { healthy: 'ok', degraded: 'stale', failing: 'failing', paused: 'paused' } as const;
// The reason that the service records when it disables a webhook automatically.
const BY_ITSELF = /^auto-disabled/;

export function healthWords(webhook: ShownHealth): string {
  const { deliveryHealth, disabledReason, consecutiveFailures, failureStreakStartedAt, lastSuccessAt } = webhook;
  if (deliveryHealth === 'paused') {
    if (BY_ITSELF.test(disabledReason ?? ''))
      return `Switched off ${(disabledReason ?? '').replace(/^auto-disabled:? ?/, '')}`;
    return disabledReason === null || disabledReason === 'paused by owner' ? 'Paused' : `Paused: ${disabledReason}`;
  }
  if (failureStreakStartedAt !== null) {
    return `${plural(consecutiveFailures, 'event')} failed since ${exact(failureStreakStartedAt)} UTC`;
  }
  return lastSuccessAt === null ? 'Nothing delivered yet' : 'Healthy';
}

export function needsAttention({ deliveryHealth, disabledReason }: ShownHealth): boolean {
  return (
    deliveryHealth === 'degraded' ||
    deliveryHealth === 'failing' ||
    (deliveryHealth === 'paused' && BY_ITSELF.test(disabledReason ?? ''))
  );
}

export function webhookHealth(webhook: ShownHealth): Html {
  const { deliveryHealth, disabledReason, failureStreakStartedAt, lastSuccessAt } = webhook;
  const untried = deliveryHealth === 'healthy' && failureStreakStartedAt === null && lastSuccessAt === null;
  const mark = BY_ITSELF.test(disabledReason ?? '') ? 'failing' : untried ? 'new' : MARKS[deliveryHealth];
  return html`<span class="health ${mark}">${healthWords(webhook)}</span>`;
}

export function attention(webhooks: readonly ShownHealth[]): Html {
  const count = webhooks.filter(needsAttention).length;
  return count > 0
    ? html`<span class="health stale small">${count} ${count === 1 ? 'needs' : 'need'} attention</span>`
    : '';
}
