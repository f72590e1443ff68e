// How many new releases one source may bring. A source that brings more is held until an operator has looked at it: a page
// that invents releases at every fetch must not fill the registry.

const FIRST_TIME = 500;
const ANY_DAY = 50;
const MAX_AFTER_SILENCE = 500;
const MIN_DAYS = 3;
const BUSY_SHARE = 0.9;

// A busy day of the source: nine of ten days with releases have no more. Fewer than three days are no habit.
export function busyDay(releasesPerDay: readonly number[]): number {
  if (releasesPerDay.length < MIN_DAYS) return 0;
  const sorted = releasesPerDay.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * BUSY_SHARE) - 1] ?? 0;
}

interface Habit {
  // The source has never been read, or is read elsewhere than before.
  isFirstTime: boolean;
  busyDay: number;
  // Since the source was last read.
  days: number;
}

// The most new releases of one day. After a silence several days come at once.
export function allowedGain({ isFirstTime, busyDay: busy, days }: Habit): number {
  if (isFirstTime) return FIRST_TIME;
  const aDay = ANY_DAY + busy;
  return Math.min(aDay * Math.max(1, Math.floor(days)), Math.max(aDay, MAX_AFTER_SILENCE));
}

// Every source may gain so many, so that nothing else has to be known of it.
export function isHarmless({ gained, isFirstTime }: { gained: number; isFirstTime: boolean }): boolean {
  return gained <= (isFirstTime ? FIRST_TIME : ANY_DAY);
}

export function floodReason({ gained, allowed }: { gained: number; allowed: number }, isFirstTime: boolean): string {
  const found = `${gained} new releases`;
  return isFirstTime
    ? `${found} at the first reading; at most ${allowed} are stored unseen`
    : `${found} within a day; the habit of this source allows ${allowed}`;
}
