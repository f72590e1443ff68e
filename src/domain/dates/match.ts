import { type DateReading, dayBefore, midnight, monthBefore, plausible } from './calendar.ts';
import type { DateOrder } from './document-order.ts';
import { type DateForm, DIGIT_FORMS, NAME_FORMS } from './forms.ts';

export interface DateContext {
  // The current time, which bounds future dates and from which relative dates are counted.
  now: Date;
  // Whether the document writes the day of `03/04/2024` first; the month is first by default.
  dayFirst?: boolean;
  // The order in which the document writes `18/02/19`; without a proven order such digits are no date.
  shortOrder?: DateOrder | null;
  // Also accepts `3 days ago` and `yesterday`.
  relative?: boolean;
  // A date is expected, so `20240115` and `2024.01.15` are also read as dates.
  slot?: boolean;
}

interface DateMatch {
  // Null when the text has the shape of a date but names no acceptable day.
  reading: DateReading | null;
  end: number;
}

const WEEKDAY =
  /(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\.?,?\s{1,3}/iy;
const GLUED_AFTER = /[\p{L}\p{N}]|[-/._]+[\p{L}\p{N}]|:\d/uy;

// The date that begins exactly at `from`. Every pattern is bounded, so a position costs constant time.
export function matchDateAt(text: string, from: number, context: DateContext): DateMatch | null {
  WEEKDAY.lastIndex = from;
  const start = WEEKDAY.test(text) ? WEEKDAY.lastIndex : from;
  for (const form of isDigit(text, start) ? DIGIT_FORMS : NAME_FORMS) {
    if (form.slotOnly && !context.slot) continue;
    const match = matchForm(form, text, start, context);
    if (match) return match;
  }
  const relative = context.relative ? relativeAt(text, from, context.now) : null;
  if (!relative || gluedAfter(text, relative.end)) return null;
  return { reading: { at: relative.at, precision: relative.precision }, end: relative.end };
}

function matchForm(form: DateForm, text: string, start: number, context: DateContext): DateMatch | null {
  form.pattern.lastIndex = start;
  const groups = form.pattern.exec(text)?.groups;
  if (!groups) return null;
  const end = form.pattern.lastIndex;
  const parts = form.parts(groups, context);
  const day = parts && midnight(parts);
  const clock = form.clockInside ? timeAt(groups.clock ?? '', 0) : parts?.day ? timeAt(text, end) : null;
  const stop = form.clockInside || !clock ? end : clock.end;
  if (gluedAfter(text, stop)) return null;
  if (parts === null || day === null) return { reading: null, end: stop };
  const precision = clock ? 'time' : parts.day === undefined ? 'month' : 'day';
  return { reading: plausible(day + (clock?.offset ?? 0), precision, context.now), end: stop };
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

// Whether the digits are part of a longer text that is no date, such as `2024-01-15-beta` or `15.01.2024.1`.
function gluedAfter(text: string, at: number): boolean {
  GLUED_AFTER.lastIndex = at;
  return GLUED_AFTER.test(text);
}

const AGO =
  /(?:(?<word>today|yesterday)|(?<count>an?|\d{1,3})\s{1,3}(?<unit>second|sec|minute|min|hour|hr|day|week|month)s?\s{1,3}ago)/iy;
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 };
const HOURS: Readonly<Record<string, number>> = { hour: 1, hr: 1 };

interface RelativeDate extends DateReading {
  end: number;
}

// Reads `3 days ago` at `from`, counted back from the current time; the precision is a day or a month.
function relativeAt(text: string, from: number, now: Date): RelativeDate | null {
  AGO.lastIndex = from;
  const groups = AGO.exec(text)?.groups;
  if (!groups) return null;
  const end = AGO.lastIndex;
  const reading = read(groups, now);
  return reading && { ...reading, end };
}

function read(groups: Readonly<Record<string, string | undefined>>, now: Date): DateReading | null {
  const word = groups.word?.toLowerCase();
  if (word !== undefined) return plausible(dayBefore(now, word === 'today' ? 0 : 1), 'day', now);
  const count = /^an?$/i.test(groups.count ?? '') ? 1 : Number(groups.count);
  const unit = (groups.unit ?? '').toLowerCase();
  if (unit === 'month') return plausible(monthBefore(now, count), 'month', now);
  const days = DAYS[unit];
  if (days !== undefined) return plausible(dayBefore(now, count * days), 'day', now);
  const milliseconds = count * (HOURS[unit] ? 3_600_000 : unit.startsWith('m') ? 60_000 : 1000);
  return plausible(dayBefore(new Date(now.getTime() - milliseconds), 0), 'day', now);
}

const MINUTE_MS = 60_000;

// Zone names with one common meaning, in minutes east of Greenwich. Any other name counts as UTC.
const ZONES: Readonly<Record<string, number>> = {
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  WET: 0,
  WEST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
  JST: 540,
};

const TIME =
  /(?:T|,?\s{1,3}(?:at\s{1,3})?)(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?(?:\s{0,2}(?<half>[ap])\.?m\b\.?)?/iy;
// JavaScript writes the name of the zone behind its offset: "GMT+0200 (CEST)".
const ZONE =
  /\s{0,3}(?:(?:GMT|UTC)?(?<sign>[+-])(?<hours>\d{2}):?(?<minutes>\d{2})?(?!\d)(?:(?<=(?:GMT|UTC)[+-]\d{2}:?\d{2}) \([A-Z][A-Za-z]{1,19}(?: [A-Za-z]{1,19}){0,4}\))?|(?<name>[A-Z]{1,4})(?![A-Za-z0-9]))/y;

interface ClockTime {
  // Milliseconds to add to midnight UTC of the day as written.
  offset: number;
  end: number;
}

// The time of day that follows a date at `from`, with its zone; null when none is written there.
function timeAt(text: string, from: number): ClockTime | null {
  TIME.lastIndex = from;
  const groups = TIME.exec(text)?.groups;
  if (!groups) return null;
  const hour = hourOfDay(Number(groups.hour), groups.half);
  const minute = Number(groups.minute);
  const second = Number(groups.second ?? 0);
  // 60 is a leap second; it counts as the last second of its minute.
  if (hour === null || minute > 59 || second > 60) return null;
  const millisecond = Number((groups.fraction ?? '').padEnd(3, '0').slice(0, 3));
  const zone = zoneAt(text, TIME.lastIndex);
  const clock = ((hour * 60 + minute) * 60 + Math.min(second, 59)) * 1000 + millisecond;
  return { offset: clock - zone.east * MINUTE_MS, end: zone.end };
}

function hourOfDay(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour > 23 ? null : hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function zoneAt(text: string, from: number): { east: number; end: number } {
  ZONE.lastIndex = from;
  const groups = ZONE.exec(text)?.groups;
  if (!groups) return { east: 0, end: from };
  const named = groups.name;
  if (named !== undefined) {
    const east = ZONES[named];
    return east === undefined ? { east: 0, end: from } : { east, end: ZONE.lastIndex };
  }
  const east = Number(groups.hours) * 60 + Number(groups.minutes ?? 0);
  return { east: groups.sign === '-' ? -east : east, end: ZONE.lastIndex };
}
