// Deliveries in flight and free slots of this process. Limits of one subscription hold over all processes and follow from
// leases; those of a receiver and of the process are counted here.
import { isSigned } from '../../domain/webhooks/format.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';

type SlotOwner = Pick<WebhookSubscriptionRow, 'id' | 'target' | 'format' | 'failure_streak_started_at'>;

const PER_PROCESS = 512;
// Failing endpoints use at most half of the slots, so that the others stay for working ones.
const FAILING = PER_PROCESS / 2;
const PER_TARGET = 8;
const PER_CHAT_HOST = 32;
const PER_SUBSCRIPTION = 4;
// The limit of a failing subscription, and of one that has not answered yet: a slow endpoint must not use four slots before
// it is known to be slow.
const AT_FIRST = 1;

export interface Slots {
  take(owner: SlotOwner): void;
  // `answered` is true after a success within the time limit.
  release(owner: SlotOwner, answered: boolean): void;
  inFlight(): number;
  // The most attempts of one subscription at a time, over all processes.
  limitOf(owner: SlotOwner): number;
  plan(): SlotPlan;
}

// A claim counts on a copy, because its transaction may run twice or fail.
export interface SlotPlan {
  free(): number;
  freeFor(owner: SlotOwner): number;
  take(owner: SlotOwner, count: number): void;
  // Receivers without free slots, which a claim leaves out.
  full(): { targets: string[]; failing: boolean };
}

interface Usage {
  total: number;
  failing: number;
  targets: Map<string, { count: number; limit: number }>;
}

export function createSlots(): Slots {
  const usage: Usage = { total: 0, failing: 0, targets: new Map() };
  const seenAnswering = new Set<string>();
  return {
    take(owner) {
      add(usage, owner, 1);
    },
    release(owner, answered) {
      add(usage, owner, -1);
      if (answered) seenAnswering.add(owner.id);
      else seenAnswering.delete(owner.id);
    },
    inFlight: () => usage.total,
    limitOf: (owner) => (isFailing(owner) || !seenAnswering.has(owner.id) ? AT_FIRST : PER_SUBSCRIPTION),
    plan: () => planOf({ ...usage, targets: new Map([...usage.targets].map(([key, value]) => [key, { ...value }])) }),
  };
}

function planOf(usage: Usage): SlotPlan {
  const free = () => PER_PROCESS - usage.total;
  return {
    free,
    freeFor(owner) {
      const target = usage.targets.get(owner.target);
      const atTarget = target ? target.limit - target.count : limitOfTarget(owner);
      return Math.max(0, Math.min(free(), atTarget, isFailing(owner) ? FAILING - usage.failing : free()));
    },
    take: (owner, count) => add(usage, owner, count),
    full: () => ({
      targets: [...usage.targets].filter(([, { count, limit }]) => count >= limit).map(([target]) => target),
      failing: usage.failing >= FAILING,
    }),
  };
}

function add(usage: Usage, owner: SlotOwner, count: number): void {
  usage.total += count;
  if (isFailing(owner)) usage.failing += count;
  const target = usage.targets.get(owner.target) ?? { count: 0, limit: limitOfTarget(owner) };
  target.count += count;
  if (target.count > 0) usage.targets.set(owner.target, target);
  else usage.targets.delete(owner.target);
}

function isFailing({ failure_streak_started_at }: SlotOwner): boolean {
  return failure_streak_started_at !== null;
}

function limitOfTarget({ format }: SlotOwner): number {
  return isSigned(format) ? PER_TARGET : PER_CHAT_HOST;
}
