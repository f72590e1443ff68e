// The row of the delivery log that an attempt leaves behind.
import type { Context } from '../../context.ts';
import { newId } from '../../domain/ids.ts';
import type { DeliveryOutcome } from '../../domain/webhooks/outcome.ts';
import type { WebhookAttemptRow, WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import type { WaitingDelivery } from './delivery.ts';

interface AttemptFacts {
  outcome: DeliveryOutcome;
  at: string;
  httpStatus?: number;
  errorCode?: string | null;
  errorMessage?: string;
  latencyMs?: number;
  nextAttemptAt?: string | null;
}

export function attemptRow(
  { randomBytes }: Pick<Context, 'randomBytes'>,
  delivery: WaitingDelivery & { subscription: Pick<WebhookSubscriptionRow, 'id' | 'format'> },
  facts: AttemptFacts,
): WebhookAttemptRow {
  const { subscription } = delivery;
  return {
    id: newId('att', randomBytes),
    delivery_id: delivery.id,
    subscription_id: subscription.id,
    event_id: delivery.event_id,
    attempt: delivery.attempt,
    outcome: facts.outcome,
    http_status: facts.httpStatus ?? 0,
    error_code: facts.errorCode ?? null,
    error_message: facts.errorMessage ?? '',
    latency_ms: facts.latencyMs ?? 0,
    format: subscription.format,
    replay: delivery.replay > 0 ? 1 : 0,
    next_attempt_at: facts.nextAttemptAt ?? null,
    created_at: facts.at,
  };
}
