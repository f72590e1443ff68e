// Chooses which waiting deliveries of one subscription are sent now, and when to look again. No I/O.
import { leaseEnd } from '../../store/lease.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import { isTest, LEASE_MS, later, type WaitingDelivery } from './delivery.ts';
import type { Waiting } from './waiting.ts';

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
