// The log row of an attempt, and deliveries that end without one.
import { type Context, now, type WriteContext } from '../../context.ts';
import { newId } from '../../domain/ids.ts';
import type { DeliveryOutcome } from '../../domain/webhooks/outcome.ts';
import { insertMany } from '../../store/insert-many.ts';
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

// Deliveries that end without an attempt.
export async function writeSkipped(
  ctx: WriteContext,
  deliveries: readonly (WaitingDelivery & { subscription: WebhookSubscriptionRow })[],
  why: 'disabled' | 'release_withdrawn',
): Promise<void> {
  if (deliveries.length === 0) return;
  const at = now(ctx);
  await ctx.tx
    .updateTable('webhook_deliveries')
    .set({ state: 'done', done_at: at, lease_until: null })
    .where(
      'id',
      'in',
      deliveries.map(({ id }) => id),
    )
    .execute();
  const rows = deliveries.map((delivery) => attemptRow(ctx, delivery, { outcome: 'skipped', at, errorMessage: why }));
  await insertMany(ctx.tx, 'webhook_attempts', rows);
}
