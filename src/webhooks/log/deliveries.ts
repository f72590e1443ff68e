// The log of attempts as the owner of a subscription reads it.

import { type Context, queries } from '../../context.ts';
import { type DeliveryLog, type DeliveryRow, FAILED_OUTCOMES } from '../../contract/webhooks.ts';
import { readNewest } from '../../entities/registry/cursor-list.ts';
import type { WebhookAttemptRow } from '../../store/schema/webhooks.ts';
import { PRIORITY } from '../delivery/delivery.ts';
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

export interface DeliverySubject {
  kind: 'release' | 'test' | 'gone';
  // Title and version of the release; empty when the subject is no release.
  title: string;
  version: string | null;
}

// The subject of each delivery, by delivery id. An event that is no longer stored is `gone`.
export async function deliverySubjects(
  ctx: Context,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, DeliverySubject>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('webhook_deliveries as d')
    .leftJoin('events as e', 'e.id', 'd.event_id')
    .select(['d.id', 'd.priority', 'e.payload'])
    .where('d.id', 'in', [...new Set(deliveryIds)])
    .execute();
  return new Map(rows.map(({ id, priority, payload }) => [id, subjectOf(priority, payload)]));
}

function subjectOf(priority: number, payload: string | null): DeliverySubject {
  if (priority === PRIORITY.test) return { kind: 'test', title: '', version: null };
  if (payload === null) return { kind: 'gone', title: '', version: null };
  const { release } = JSON.parse(payload) as { release: { title: string; version: string | null } };
  return { kind: 'release', title: release.title, version: release.version };
}
