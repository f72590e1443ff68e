// The days on which releases come out.
import type { Random } from './random.ts';

export const DAY_MS = 86_400_000;

export type Period = 'week' | 'month' | 'quarter';

export interface DateInput {
  // Midnight UTC of today.
  today: number;
  // How long the history goes back, and how long ago the last release was.
  ageDays: number;
  quietDays: number;
  // Dates without a time of day, as pages print them.
  dayPrecision: boolean;
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

// Denser towards today, on working days, ascending.
export function drawDates(random: Random, input: DateInput, count: number): number[] {
  const newest = Math.max(input.quietDays, input.dayPrecision ? 0 : 1);
  const span = Math.max(1, input.ageDays - newest);
  return Array.from({ length: count }, () => {
    let daysAgo = newest + Math.floor(random.next() ** 1.25 * span);
    const weekday = new Date(input.today - daysAgo * DAY_MS).getUTCDay();
    if ((weekday === 0 || weekday === 6) && random.chance(0.85)) daysAgo += random.int(1, 5) + (weekday === 0 ? 1 : 0);
    const midnight = input.today - daysAgo * DAY_MS;
    return input.dayPrecision ? midnight : midnight + random.int(6 * 3600, 19 * 3600) * 1000;
  }).sort((a, b) => a - b);
}

// The longest period of which so many fit into two years.
export function periodFor(count: number): Period {
  if (count <= 8) return 'quarter';
  return count <= 24 ? 'month' : 'week';
}

// First days of quarters or months, or Fridays, up to today.
export function periodDates({ today, count }: { today: number; count: number }, period: Period): number[] {
  const date = new Date(today);
  const back = Array.from({ length: count }, (_, index) => count - 1 - index);
  const friday = today - ((date.getUTCDay() + 2) % 7) * DAY_MS;
  if (period === 'week') return back.map((weeks) => friday - weeks * 7 * DAY_MS);
  const months = period === 'quarter' ? 3 : 1;
  const first = date.getUTCMonth() - (date.getUTCMonth() % months);
  return back.map((periods) => Date.UTC(date.getUTCFullYear(), first - periods * months, 1));
}
