// Weeks as ISO 8601 counts them: from Monday, and week 1 is the one with the first Thursday of the year. In UTC.

export interface Week {
  year: number;
  week: number;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

export function weekOf(at: Date): Week {
  const monday = mondayOf(at.getTime());
  const year = new Date(monday + 3 * DAY_MS).getUTCFullYear();
  return { year, week: Math.round((monday - mondayOf(Date.UTC(year, 0, 4))) / WEEK_MS) + 1 };
}

function mondayOf(at: number): number {
  const day = Math.floor(at / DAY_MS) * DAY_MS;
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS;
}

export interface Span {
  since: string;
  // The first moment after it.
  until: string;
}

export function spanOfWeek({ year, week }: Week): Span {
  const since = mondayOf(Date.UTC(year, 0, 4)) + (week - 1) * WEEK_MS;
  return { since: new Date(since).toISOString(), until: new Date(since + WEEK_MS).toISOString() };
}

export function weekBeside(week: Week, weeks: 1 | -1): Week {
  return weekOf(new Date(Date.parse(spanOfWeek(week).since) + weeks * WEEK_MS));
}

export function weekSlug({ year, week }: Week): string {
  return `${year}-w${String(week).padStart(2, '0')}`;
}

// Null for what is no week of the calendar.
export function readWeek(slug: string): Week | null {
  const [, year, week] = /^(\d{4})-w(\d{2})$/.exec(slug) ?? [];
  const read = { year: Number(year), week: Number(week) };
  if (!year || read.year < 1990 || read.week < 1) return null;
  return weekSlug(weekOf(new Date(spanOfWeek(read).since))) === slug ? read : null;
}
