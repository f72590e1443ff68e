// Figures that depend on the calendar, from counts by UTC day.
import { addDays, daysBetween, utcDay } from '../../domain/timestamps.ts';

// Releases by UTC day; days without any are absent.
type DayCounts = ReadonlyMap<string, number>;

export const SPARKLINE_DAYS = 30;
export const PACE_DAYS = 90;

export function firstOfLast(days: number, today: string): string {
  return addDays(today, 1 - days);
}

export function sparkline(counts: DayCounts, today: string): number[] {
  return sparklineDays(today).map((day) => counts.get(day) ?? 0);
}

let latest: { today: string; days: string[] } = { today: '', days: [] };

// Lists of orgs need the same days hundreds of times, so the last result is cached.
function sparklineDays(today: string): string[] {
  if (latest.today !== today) {
    const first = firstOfLast(SPARKLINE_DAYS, today);
    latest = { today, days: Array.from({ length: SPARKLINE_DAYS }, (_, index) => addDays(first, index)) };
  }
  return latest.days;
}

function sumSince(counts: DayCounts, first: string): number {
  let total = 0;
  for (const [day, count] of counts) if (day >= first) total += count;
  return total;
}

export function recentCount(counts: DayCounts, today: string): number {
  return sumSince(counts, sparklineDays(today)[0] ?? today);
}

// The releases of the last 90 days per week of history; a history of less than a week gives the plain count.
export function averagePerWeek(input: { counts: DayCounts; firstDate: string | null; today: string }): number {
  const { counts, firstDate, today } = input;
  const total = sumSince(counts, firstOfLast(PACE_DAYS, today));
  if (total === 0 || firstDate === null) return 0;
  const span = Math.min(PACE_DAYS, daysBetween(utcDay(firstDate), today));
  return span < 7 ? total : Math.round((total / (span / 7)) * 10) / 10;
}
