// The parameters `since` and `until`: spans, days or timestamps, as bounds in UTC.
import { daysInMonth, isoWithinFourDigits, parseDateTime, parseDay } from './timestamps.ts';

type Side = 'since' | 'until';
type ParsedWindow =
  | { ok: true; since: string | null; until: string | null }
  | { ok: false; parameter: Side; reason: string };

const DAY_MS = 86_400_000;
const MAX_COUNT = 36_500;
const EPOCH = '1970-01-01T00:00:00.000Z';
const RELATIVE = /^(?<count>\d{1,5})(?<unit>[dwmy])$/i;
const UNREADABLE = 'must be a span such as 7d, 2w, 3m or 1y, a date (YYYY-MM-DD) or an ISO 8601 date-time';

export function parseWindow(
  input: { since?: string | undefined; until?: string | undefined },
  now: Date,
): ParsedWindow {
  const since = input.since ? parseBound(input.since, 'since', now) : null;
  if (input.since && since === null) return { ok: false, parameter: 'since', reason: UNREADABLE };
  const until = input.until ? parseBound(input.until, 'until', now) : null;
  if (input.until && until === null) return { ok: false, parameter: 'until', reason: UNREADABLE };
  if (since !== null && until !== null && since > until) {
    return { ok: false, parameter: 'since', reason: 'must not be later than until' };
  }
  return { ok: true, since, until };
}

export function parseBound(value: string, side: Side, now: Date): string | null {
  const relative = RELATIVE.exec(value)?.groups;
  if (relative !== undefined) {
    const count = Number(relative.count);
    return count > MAX_COUNT ? null : before(now, count, relative.unit?.toLowerCase() ?? 'd');
  }
  const day = parseDay(value);
  if (day !== null) return side === 'since' ? `${day}T00:00:00.000Z` : `${day}T23:59:59.999Z`;
  // Form decoding turns the plus sign of a zone into a blank.
  const instant = parseDateTime(value.replace(' ', '+'));
  return instant === null ? null : isoWithinFourDigits(instant.ms);
}

function before(now: Date, count: number, unit: string): string {
  if (unit === 'd' || unit === 'w') {
    const days = unit === 'w' ? count * 7 : count;
    return notBeforeEpoch(now.getTime() - days * DAY_MS);
  }
  const months = now.getUTCFullYear() * 12 + now.getUTCMonth() - (unit === 'y' ? count * 12 : count);
  const year = Math.floor(months / 12);
  if (year < 1970) return EPOCH;
  const month = months - year * 12;
  const day = Math.min(now.getUTCDate(), daysInMonth(year, month + 1));
  return notBeforeEpoch(new Date(now).setUTCFullYear(year, month, day));
}

function notBeforeEpoch(ms: number): string {
  return ms <= 0 ? EPOCH : isoWithinFourDigits(ms);
}
