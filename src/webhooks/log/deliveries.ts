// The log of attempts as the owner of a subscription reads it.
import { readNewest } from '../../catalog/registry/cursor-list.ts';
import { type Context, queries } from '../../context.ts';
import { type DeliveryLog, type DeliveryRow, FAILED_OUTCOMES } from '../../contract/webhooks.ts';
import type { WebhookAttemptRow } from '../../store/schema/webhooks.ts';
import { ownedSubscription, type SubscriptionOwner } from '../subscriptions/owner.ts';

interface DeliveryQuery {
  id: string;
  owner: SubscriptionOwner;
  failed?: boolean;
  eventId?: string;
  cursor?: string;
  limit: number;
}

export async function listDeliveries(ctx: Context, input: DeliveryQuery): Promise<DeliveryLog> {
  const { id, owner, failed, eventId, cursor, limit } = input;
  await ownedSubscription(ctx, { id, owner });
  let query = queries(ctx).selectFrom('webhook_attempts as a').selectAll().where('a.subscription_id', '=', id);
  if (failed) query = query.where('a.outcome', 'in', FAILED_OUTCOMES);
  if (eventId !== undefined) query = query.where('a.event_id', '=', eventId);
  const { rows, pagination } = await readNewest(query, { cursor, limit }, 'a');
  return { data: rows.map(toDeliveryRow), rows: rows.length, pagination };
}

export function toDeliveryRow(row: WebhookAttemptRow): DeliveryRow {
  return {
    id: row.id,
    delivery_id: row.delivery_id,
    timestamp: row.created_at,
    event_id: row.event_id,
    outcome: row.outcome,
    http_status: row.http_status,
    latency_ms: row.latency_ms,
    attempt: row.attempt,
    error_code: row.error_code,
    error_message: row.error_message,
    format: row.format,
    replay: row.replay > 0,
    next_attempt_at: row.next_attempt_at,
  };
}
