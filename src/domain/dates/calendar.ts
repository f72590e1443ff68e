// How precisely a date was written.
export type DatePrecision = 'time' | 'day' | 'month';

export interface DateReading {
  // ISO 8601 in UTC with milliseconds.
  at: string;
  precision: DatePrecision;
}

export interface DateParts {
  year: number;
  // 1 to 12.
  month: number;
  // Absent when only a month was written.
  day?: number;
}

const DAY_MS = 86_400_000;
const EARLIEST_YEAR = 1990;
const DAYS_AHEAD = 366;

// Midnight UTC of a day that exists in the calendar, else null: `Date.UTC` alone would roll 30 February over.
export function midnight({ year, month, day = 1 }: DateParts): number | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.getUTCMonth() === month - 1 ? at.getTime() : null;
}

// A plausible release date is neither too early nor far in the future; anything else was misread.
export function plausible(at: number, precision: DatePrecision, now: Date): DateReading | null {
  if (!(at <= now.getTime() + DAYS_AHEAD * DAY_MS)) return null;
  const moment = new Date(at);
  return moment.getUTCFullYear() < EARLIEST_YEAR ? null : { at: moment.toISOString(), precision };
}

// The day on which a moment falls, a number of days earlier.
export function dayBefore(moment: Date, days: number): number {
  return Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() - days);
}

// The first of the month a number of months earlier.
export function monthBefore(moment: Date, months: number): number {
  return Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() - months, 1);
}
