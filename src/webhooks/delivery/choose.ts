// Chooses which waiting deliveries of one subscription are sent now, and when to look again. No I/O.

import { type RawBuilder, sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { leaseEnd } from '../../store/lease.ts';
import { forEachKey, type PerKeyQuery } from '../../store/pipeline.ts';
import type { Tx } from '../../store/schema/index.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import { isTest, LEASE_MS, later, PRIORITY, type WaitingDelivery } from './delivery.ts';

interface ClaimLimits {
  // The most deliveries in flight at a time, over all processes.
  atOnce: number;
  // Free slots of this process.
  free: number;
  // 0 means no limit.
  perMinute: number;
}

export interface Choice {
  send: WaitingDelivery[];
  // Deliveries that end without an attempt.
  skip: WaitingDelivery[];
  // When to look at the subscription again; null when nothing waits and nothing runs.
  nextDueAt: string | null;
  window: Window;
}

interface Window {
  startedAt: string;
  claims: number;
}

const MINUTE_MS = 60_000;

type Turn = Pick<WebhookSubscriptionRow, 'enabled' | 'window_started_at' | 'window_claims'>;

interface ChosenDeliveries {
  waiting: Waiting;
  limits: ClaimLimits;
  at: string;
}

export function chooseDeliveries(turn: Turn, { waiting, limits, at }: ChosenDeliveries): Choice {
  const window = windowAt(turn, at);
  const queue = [...waiting.expired, ...waiting.first].sort(byTurn);
  const due = queue.filter((delivery) => isDue(delivery, waiting, at));
  if (!turn.enabled) return { send: [], skip: due, nextDueAt: nextDue(queue, due, waiting, at), window };

  const slots = Math.min(limits.free, Math.max(0, limits.atOnce - waiting.leases.length));
  const allowed = limits.perMinute === 0 ? Infinity : Math.max(0, limits.perMinute - window.claims);
  const send = withinThrottle(due, allowed).slice(0, slots);
  const claims = window.claims + send.length;
  const choice = { send, skip: [], window: { ...window, claims } };
  const leases = [...waiting.leases, ...send.map(() => leaseEnd(at, LEASE_MS))].sort();
  if (leases.length >= limits.atOnce) return { ...choice, nextDueAt: leases[0] ?? null };
  const next = nextDue(queue, send, { ...waiting, leases }, at);
  const paused = limits.perMinute > 0 && claims >= limits.perMinute && !queue.some((one) => isLeftTest(one, send));
  return { ...choice, nextDueAt: paused ? pausedUntil(next, window, leases) : next };
}

// Sorts tests before live deliveries before replays, each by due time and then in the order of their events.
function byTurn(a: WaitingDelivery, b: WaitingDelivery): number {
  if (a.priority !== b.priority) return a.priority - b.priority;
  if (a.due_at !== b.due_at) return a.due_at < b.due_at ? -1 : 1;
  return a.event_seq - b.event_seq;
}

function isDue(delivery: WaitingDelivery, { expired }: Waiting, at: string): boolean {
  return delivery.due_at <= at || expired.includes(delivery);
}

// Tests ignore the throttle; they have a far lower limit of their own.
function withinThrottle(due: readonly WaitingDelivery[], allowed: number): WaitingDelivery[] {
  let left = allowed;
  return due.filter((delivery) => {
    if (isTest(delivery)) return true;
    left -= 1;
    return left >= 0;
  });
}

function isLeftTest(delivery: WaitingDelivery, taken: readonly WaitingDelivery[]): boolean {
  return isTest(delivery) && !taken.includes(delivery);
}

function windowAt({ window_started_at, window_claims }: Turn, at: string): Window {
  const runs = window_started_at !== null && later(window_started_at, MINUTE_MS) > at && window_started_at <= at;
  return runs ? { startedAt: window_started_at, claims: window_claims ?? 0 } : { startedAt: at, claims: 0 };
}

function nextDue(
  queue: readonly WaitingDelivery[],
  taken: readonly WaitingDelivery[],
  { expired, leases }: Waiting,
  at: string,
): string | null {
  const left = queue.filter((delivery) => !taken.includes(delivery));
  const times = [...left.map((delivery) => (expired.includes(delivery) ? at : delivery.due_at)), ...leases];
  return times.sort()[0] ?? null;
}

function pausedUntil(next: string | null, { startedAt }: Window, leases: readonly string[]): string | null {
  if (next === null) return null;
  const end = later(startedAt, MINUTE_MS);
  const due = next > end ? next : end;
  // The end of a lease is a reason to look again, because its worker may have died.
  return [due, ...leases].sort()[0] ?? due;
}

// Reads the waiting deliveries of subscriptions from two narrow indexes, at a bounded cost.

interface Waiting {
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
