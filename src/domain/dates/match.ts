import { type DateReading, dayBefore, midnight, monthBefore, plausible } from './calendar.ts';
import { timeAt } from './clock-time.ts';
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
