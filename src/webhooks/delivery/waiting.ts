// Reads the waiting deliveries of subscriptions from two narrow indexes, at a bounded cost.
import { type RawBuilder, sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { forEachKey, type PerKeyQuery } from '../../store/keyed-queries.ts';
import type { Tx } from '../../store/schema/index.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import { PRIORITY, type WaitingDelivery } from './delivery.ts';

export interface Waiting {
  // The first deliveries of each priority by time, due or not: all of them, or at least one more than may be sent.
  first: WaitingDelivery[];
  // The ends of the running leases.
  leases: string[];
  // Deliveries whose lease has expired; they are claimed again.
  expired: WaitingDelivery[];
}

type FoundDelivery = WaitingDelivery & { subscription_id: string };
type Leased = FoundDelivery & { lease_until: string };

// One more than a subscription may have in flight, because the next one says when to look again.
const FIRST = 5;
// Nothing is sent for a disabled subscription, so many deliveries can end at once.
const FIRST_OF_DISABLED = 256;

const COLUMNS = sql`subscription_id, id, event_id, event_seq, replay, attempt, priority, due_at, body`;

export async function readWaiting(
  { tx }: WriteContext,
  subscriptions: readonly Pick<WebhookSubscriptionRow, 'id' | 'enabled'>[],
  at: string,
): Promise<(subscriptionId: string) => Waiting> {
  const idsOf = (enabled: number) => subscriptions.filter((one) => one.enabled === enabled).map(({ id }) => id);
  const first = new Map([
    ...(await firstWaiting(tx, { ids: idsOf(1), count: FIRST, at })),
    ...(await firstWaiting(tx, { ids: idsOf(0), count: FIRST_OF_DISABLED, at })),
  ]);
  const ids = subscriptions.map(({ id }) => id);
  const leased = Map.groupBy((await leasedOf(ids).execute(tx)).rows, (row) => row.subscription_id);
  return (id) => {
    const leases = leased.get(id) ?? [];
    return {
      first: first.get(id) ?? [],
      leases: leases.filter((row) => row.lease_until > at).map((row) => row.lease_until),
      expired: leases.filter((row) => row.lease_until <= at),
    };
  };
}

async function firstWaiting(
  tx: Tx,
  { ids, count, at }: { ids: readonly string[]; count: number; at: string },
): Promise<Map<string, FoundDelivery[]>> {
  const rows = await forEachKey<FoundDelivery>(tx, inTurn(count), ids);
  const found = Map.groupBy(rows, (row) => row.subscription_id);
  // Retries that are not due yet can precede replays that are.
  const hiding = ids.filter((id) => mayHide(found.get(id) ?? [], count, at));
  for (const id of hiding) found.set(id, []);
  for (const priority of Object.values(PRIORITY)) {
    for (const row of await forEachKey<FoundDelivery>(tx, firstOf(priority, count), hiding)) {
      found.get(row.subscription_id)?.push(row);
    }
  }
  return found;
}

// Whether rows that were not read may be due before some that were: the read was cut off and reached rows that are not due.
function mayHide(rows: readonly WaitingDelivery[], count: number, at: string): boolean {
  return rows.length === count && rows.some((row) => row.due_at > at);
}

export function inTurn(count: number): PerKeyQuery {
  return {
    name: `webhook deliveries in turn ${count}`,
    of: (subscriptionId) => sql`SELECT ${COLUMNS} FROM webhook_deliveries
      WHERE subscription_id = ${subscriptionId} AND state = 'pending' AND lease_until IS NULL
      ORDER BY priority, due_at, event_seq LIMIT ${sql.lit(count)}`,
  };
}

export function firstOf(priority: number, count: number): PerKeyQuery {
  return {
    name: `webhook deliveries of priority ${priority} ${count}`,
    of: (subscriptionId) => sql`SELECT ${COLUMNS} FROM webhook_deliveries
      WHERE subscription_id = ${subscriptionId} AND priority = ${sql.lit(priority)}
        AND state = 'pending' AND lease_until IS NULL
      ORDER BY due_at, event_seq LIMIT ${sql.lit(count)}`,
  };
}

export function leasedOf(subscriptionIds: readonly string[]): RawBuilder<Leased> {
  return sql<Leased>`SELECT ${COLUMNS}, lease_until FROM webhook_deliveries
    WHERE subscription_id IN (${sql.join(subscriptionIds)}) AND lease_until IS NOT NULL`;
}
