// How a subscription's failures are counted, and when they disable it.
import type { AttemptOutcome } from './retry-schedule.ts';

export interface Counters {
  consecutiveFailures: number;
  consecutiveLostEvents: number;
  // The time of the first failed attempt since the last success.
  failureStreakStartedAt: string | null;
}

export const NO_FAILURES: Counters = {
  consecutiveFailures: 0,
  consecutiveLostEvents: 0,
  failureStreakStartedAt: null,
};

export function counted(
  before: Counters,
  { outcome, attempt, at }: { outcome: AttemptOutcome; attempt: number; at: string },
): Counters {
  if (outcome === 'success') return NO_FAILURES;
  const ended = outcome !== 'retry';
  return {
    // Only the first attempt of an event counts as a failure of it.
    consecutiveFailures: before.consecutiveFailures + (attempt === 1 ? 1 : 0),
    consecutiveLostEvents: before.consecutiveLostEvents + (ended ? 1 : 0),
    failureStreakStartedAt: before.failureStreakStartedAt ?? at,
  };
}

export interface Disabling {
  rule: 'lost_events' | 'failing_events' | 'gone';
  reason: string;
}

const LOST_EVENTS = { user: 10, admin: 50 } as const;
const FAILING_EVENTS = 3;
const FAILING_HOURS = 48;
const HOUR_MS = 3_600_000;

// The rule by which a failed attempt disables its subscription; null when it stays enabled.
export function disablingRule(
  counters: Counters,
  { lane, gone, now }: { lane: 'user' | 'admin'; gone: boolean; now: Date },
): Disabling | null {
  const { consecutiveFailures, consecutiveLostEvents, failureStreakStartedAt } = counters;
  if (consecutiveLostEvents >= LOST_EVENTS[lane]) {
    return { rule: 'lost_events', reason: `auto-disabled after ${consecutiveLostEvents} consecutive lost events` };
  }
  const hours = failureStreakStartedAt === null ? 0 : (now.getTime() - Date.parse(failureStreakStartedAt)) / HOUR_MS;
  if (lane === 'user' && consecutiveFailures >= FAILING_EVENTS && hours >= FAILING_HOURS) {
    const over = `${consecutiveFailures} failing events over ${Math.floor(hours)} hours`;
    return { rule: 'failing_events', reason: `auto-disabled after ${over}` };
  }
  return gone ? { rule: 'gone', reason: 'auto-disabled: endpoint answered 410 Gone' } : null;
}
