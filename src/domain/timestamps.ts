// Timestamps and days as text: parsing, and calculating with days and weeks.
const DAY_MS = 86_400_000;
const FIRST_INSTANT = instantOf(0, 1, 1);
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const DAY = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/;
const TIME = /^(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.(?<fraction>\d+))?)?(?<zone>Z|[+-][\d:]+)?$/;
const OFFSET = /^(?<sign>[+-])(?<hours>\d{2})(?::?(?<minutes>\d{2}))?$/;

// A date or a zoned date-time of a request body, 1970–9999, as a UTC timestamp.
export function parseBodyTimestamp(value: string): string | null {
  const day = parseDay(value);
  const instant = day === null ? parseDateTime(value) : { ms: msOf(day), zoned: true };
  if (instant === null || !instant.zoned) return null;
  return instant.ms >= 0 && instant.ms <= LAST_INSTANT ? new Date(instant.ms).toISOString() : null;
}

// Parses `YYYY-MM-DDTHH:MM[:SS[.fff]][zone]`; a time without a zone is read as UTC.
export function parseDateTime(text: string): { ms: number; zoned: boolean } | null {
  if (text[10] !== 'T') return null;
  const day = parseDay(text.slice(0, 10));
  const time = TIME.exec(text.slice(11))?.groups;
  if (day === null || time === undefined) return null;

  const [hour, minute, second] = [Number(time.hour), Number(time.minute), Number(time.second ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const offset = offsetMinutes(time.zone ?? 'Z');
  if (offset === null) return null;

  const milliseconds = Number((time.fraction ?? '').slice(0, 3).padEnd(3, '0'));
  const ms = msOf(day) + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds;
  return { ms, zoned: time.zone !== undefined };
}

// The day of a UTC timestamp as this service writes it.
export function utcDay(iso: string): string {
  return iso.slice(0, 10);
}

// A day of the calendar, written `YYYY-MM-DD`.
export function parseDay(text: string): string | null {
  const parts = DAY.exec(text)?.groups;
  if (parts === undefined) return null;
  const [year, month, day] = [Number(parts.year), Number(parts.month), Number(parts.day)];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  return text;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

// The result stays within the years 0000–9999, because a longer year would not sort as text.
export function addDays(day: string, n: number): string {
  return isoWithinFourDigits(msOf(day) + n * DAY_MS).slice(0, 10);
}

export function mondayOf(day: string): string {
  return addDays(day, -((new Date(msOf(day)).getUTCDay() + 6) % 7));
}

// Days from `a` to `b`; negative when `b` is the earlier one.
export function daysBetween(a: string, b: string): number {
  return Math.round((msOf(b) - msOf(a)) / DAY_MS);
}

export function isoWithinFourDigits(ms: number): string {
  return new Date(Math.min(Math.max(ms, FIRST_INSTANT), LAST_INSTANT)).toISOString();
}

function offsetMinutes(zone: string): number | null {
  if (zone === 'Z') return 0;
  const parts = OFFSET.exec(zone)?.groups;
  if (parts === undefined) return null;
  const [hours, minutes] = [Number(parts.hours), Number(parts.minutes ?? 0)];
  if (hours > 23 || minutes > 59) return null;
  return (parts.sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}

function msOf(day: string): number {
  return instantOf(Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10)));
}

// `Date.UTC` reads the years 0–99 as 1900–1999; setting the year does not.
function instantOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
