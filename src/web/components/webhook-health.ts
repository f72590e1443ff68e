// How the deliveries of a webhook fare, in words with since when.
import type { WebhookSubscription } from '../../contract/webhooks.ts';
import { type Html, html } from './html.ts';

type Shown = Pick<WebhookSubscription, 'deliveryHealth' | 'disabledReason'>;

// What the service wrote when it switched a webhook off by itself.
const BY_ITSELF = /^auto-disabled/;

function needsAttention({ deliveryHealth, disabledReason }: Shown): boolean {
  return (
    deliveryHealth === 'degraded' ||
    deliveryHealth === 'failing' ||
    (deliveryHealth === 'paused' && BY_ITSELF.test(disabledReason ?? ''))
  );
}

export function attention(webhooks: readonly Shown[]): Html {
  const count = webhooks.filter(needsAttention).length;
  return count > 0
    ? html`<span class="health stale small">${count} ${count === 1 ? 'needs' : 'need'} attention</span>`
    : '';
}
