// What waits for one subscription, read from two narrow indexes however much it is.
import { type RawBuilder, sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import type { Tx } from '../../store/schema.ts';
import type { WebhookSubscriptionRow } from '../../store/schema-webhooks.ts';
import { PRIORITY, type WaitingDelivery } from './delivery.ts';

export interface Waiting {
  // The first of each priority by time, due or not; when there are more, at least one more than may be sent.
  first: WaitingDelivery[];
  // Ends of the leases that run.
  leases: string[];
  // Whoever held them is gone; they are taken again as they were.
  expired: WaitingDelivery[];
}

// One more than a subscription may have in flight, so that what is left tells when to look again.
const FIRST = 5;
// Nothing is sent for a disabled one, so many can end at once.
const FIRST_OF_DISABLED = 256;

const COLUMNS = sql`id, event_id, event_seq, replay, attempt, priority, due_at, body`;

export async function readWaiting(
  { tx }: WriteContext,
  { id, enabled }: Pick<WebhookSubscriptionRow, 'id' | 'enabled'>,
  at: string,
): Promise<Waiting> {
  const first = await firstWaiting(tx, { id, count: enabled ? FIRST : FIRST_OF_DISABLED, at });
  const { rows: leased } = await leasedOf(id).execute(tx);
  return {
    first,
    leases: leased.filter((row) => row.lease_until > at).map((row) => row.lease_until),
    expired: leased.filter((row) => row.lease_until <= at),
  };
}

async function firstWaiting(tx: Tx, { id, count, at }: { id: string; count: number; at: string }) {
  const { rows } = await inTurn(id, count).execute(tx);
  // Either that is all, or all of it goes before anything that is not there.
  if (rows.length < count || rows.every((row) => row.due_at <= at)) return rows;
  // Retries that are not due yet stand before replays that are.
  return (await firstOfEach(id, count).execute(tx)).rows;
}

export function inTurn(subscriptionId: string, count: number): RawBuilder<WaitingDelivery> {
  return sql<WaitingDelivery>`SELECT ${COLUMNS} FROM webhook_deliveries
    WHERE subscription_id = ${subscriptionId} AND state = 'pending' AND lease_until IS NULL
    ORDER BY priority, due_at, event_seq LIMIT ${sql.lit(count)}`;
}

export function firstOfEach(subscriptionId: string, count: number): RawBuilder<WaitingDelivery> {
  const parts = Object.values(PRIORITY).map(
    (priority) => sql`
      SELECT * FROM (SELECT ${COLUMNS} FROM webhook_deliveries
        WHERE subscription_id = ${subscriptionId} AND priority = ${sql.lit(priority)}
          AND state = 'pending' AND lease_until IS NULL
        ORDER BY due_at, event_seq LIMIT ${sql.lit(count)}) AS ${sql.ref(`p${priority}`)}`,
  );
  return sql<WaitingDelivery>`${sql.join(parts, sql` UNION ALL `)}`;
}

export function leasedOf(subscriptionId: string): RawBuilder<WaitingDelivery & { lease_until: string }> {
  return sql`SELECT ${COLUMNS}, lease_until FROM webhook_deliveries
    WHERE subscription_id = ${subscriptionId} AND lease_until IS NOT NULL`;
}
