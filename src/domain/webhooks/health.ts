// The health of a subscription, in one word and in one line.

export const DELIVERY_HEALTH = ['healthy', 'degraded', 'failing', 'paused'] as const;
type DeliveryHealth = (typeof DELIVERY_HEALTH)[number];

export interface HealthInfo {
  enabled: boolean;
  disabledReason: string | null;
  consecutiveFailures: number;
  // The time of the first failed attempt since the last success.
  failureStreakStartedAt: string | null;
  lastSuccessAt: string | null;
}

const FAILING_EVENTS = 5;
const FAILING_EVENTS_OVER_TIME = 3;
const FAILING_HOURS = 36;
const HOUR_MS = 3_600_000;

export function deliveryHealth(facts: HealthInfo, now: Date): DeliveryHealth {
  const { enabled, consecutiveFailures, failureStreakStartedAt } = facts;
  if (!enabled) return 'paused';
  if (failureStreakStartedAt === null) return 'healthy';
  if (consecutiveFailures >= FAILING_EVENTS) return 'failing';
  const longEnough = hoursSince(failureStreakStartedAt, now) >= FAILING_HOURS;
  return consecutiveFailures >= FAILING_EVENTS_OVER_TIME && longEnough ? 'failing' : 'degraded';
}

export function deliveryHealthSummary(facts: HealthInfo, now: Date): string {
  const { disabledReason, consecutiveFailures, failureStreakStartedAt, lastSuccessAt } = facts;
  const health = deliveryHealth(facts, now);
  if (health === 'paused') return disabledReason ? `Paused: ${oneLine(disabledReason)}` : 'Paused';
  if (failureStreakStartedAt === null) {
    return lastSuccessAt === null ? 'Nothing delivered yet' : `Delivering; last success ${lastSuccessAt}`;
  }
  const events = consecutiveFailures === 1 ? '1 event' : `${consecutiveFailures} events`;
  return `${health === 'failing' ? 'Failing' : 'Degraded'}: ${events} failed since ${failureStreakStartedAt}`;
}

function hoursSince(start: string, now: Date): number {
  return (now.getTime() - Date.parse(start)) / HOUR_MS;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
