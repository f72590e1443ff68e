// The full-text key of a release: minutes since 1970 × 2^20 + a tie-breaker, so that key order is date order.
const STEP = 2 ** 20;

export const TIE_BREAKERS = STEP;

export function docKey(at: string, seq: number): number {
  return minuteOf(at) * STEP + (seq % STEP);
}

export function minuteOf(at: string): number {
  return Math.max(0, Math.floor(Date.parse(at) / 60_000));
}

export function firstKeyOfMinute(minute: number): number {
  return minute * STEP;
}

export function lastKeyOfMinute(minute: number): number {
  return minute * STEP + STEP - 1;
}

export function minuteOfKey(key: number): number {
  return Math.floor(key / STEP);
}
