// The retry schedule: when a failed delivery is tried again, and when it is given up.
import type { AttemptVerdict, DeliveryOutcome } from './outcome.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

// The wait after the first attempt, the second, and so on. A delivery whose waits are used up is given up.
const WAITS = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR] as const;
const JITTER = 0.1;
const MAX_RETRY_AFTER = HOUR;

export type AttemptOutcome = Extract<DeliveryOutcome, 'success' | 'retry' | 'perm_fail' | 'dlq'>;

// The outcome of a delivery after an attempt. A test delivery is never repeated.
export function outcomeOf(
  { verdict }: Pick<AttemptVerdict, 'verdict'>,
  { attempt, isTest }: { attempt: number; isTest: boolean },
): AttemptOutcome {
  if (verdict === 'delivered') return 'success';
  if (verdict === 'never' || isTest) return 'perm_fail';
  return attempt > WAITS.length ? 'dlq' : 'retry';
}

interface Retry {
  // The number of the attempt that failed, from 1.
  attempt: number;
  // A random number from 0 up to 1, for jitter.
  random: number;
  // The receiver's `Retry-After`, which can lengthen the wait but never shorten it.
  retryAfterMs: number | null;
}

export function waitMs({ attempt, random, retryAfterMs }: Retry): number {
  const planned = WAITS[Math.min(attempt, WAITS.length) - 1] ?? WAITS[0];
  const spread = planned * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER)));
}
