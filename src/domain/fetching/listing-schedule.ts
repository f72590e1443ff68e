// When the listing of a package is read again.
import type { ListingOutcome } from '../published-package.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const JITTER = 0.1;
const MIN_RETRY_MS = HOUR_MS / 2;

// A new release asks for its package at once, but not more often than this.
export const MIN_BETWEEN_MS = 10 * 60_000;

interface FinishedReading {
  at: Date;
  outcome: ListingOutcome;
  // When the newest version was published, as far as that is known.
  newestAt: string | null;
  failingSince: string | null;
  // The registry asked not to be called before this time.
  retryAt: string | null;
  // From 0 to 1.
  random: number;
}

export function nextListingRead({ at, outcome, newestAt, failingSince, retryAt, random }: FinishedReading): string {
  const now = at.getTime();
  const wait =
    outcome === 'listed' || outcome === 'unpublished'
      ? intervalMs(newestAt === null ? null : now - Date.parse(newestAt))
      : // A failure that lasts is asked about less and less.
        Math.min(DAY_MS, Math.max(MIN_RETRY_MS, failingSince === null ? 0 : now - Date.parse(failingSince)));
  const spread = 1 + JITTER * (2 * random - 1);
  const due = now + wait * spread;
  return new Date(Math.max(due, retryAt === null ? 0 : Date.parse(retryAt))).toISOString();
}

function intervalMs(silentMs: number | null): number {
  if (silentMs === null) return DAY_MS;
  if (silentMs <= 30 * DAY_MS) return 6 * HOUR_MS;
  return silentMs <= 365 * DAY_MS ? DAY_MS : 7 * DAY_MS;
}
