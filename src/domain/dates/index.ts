// Dates as people write them. `readDate` takes a text that is nothing but a date, `findDate` looks for the first one
// inside a longer text. A missing or doubtful date is null; the current time is never used in its place.
import { type DateReading, plausible } from './calendar.ts';
import { documentDateOrder, documentDayFirst } from './document-order.ts';
import { type DateContext, matchDateAt } from './match.ts';

export type { DateReading } from './calendar.ts';
export { type DateOrder, documentDayFirst } from './document-order.ts';
export type { DateContext } from './match.ts';

interface FoundDate extends DateReading {
  start: number;
  end: number;
}

const MAX_DATE_LENGTH = 100;
// What may follow a time: a zone with an unknown name, or the comment that JavaScript appends.
const ZONE_TAIL = /^\s{0,3}(?:[A-Za-z][A-Za-z_/]{0,39})?(?:\s{0,3}[([][^()[\]]{1,60}[)\]])?$/;
const WORD = /[\p{L}\p{N}]+/gu;
const DATE_START = /^(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)/i;
// Every date contains one of these, and most version headings contain none, so this test is cheap.
const YEAR_NAME_OR_SLASHES = /\d{4}|[a-z]{3}|\d\/\d{1,2}\/\d/i;
const RELATIVE_START = /^(?:an?|today|yesterday)$/i;

// How a document writes its dates, as far as they show it.
export function dateContextOf(dates: readonly string[], now: Date) {
  const shortOrder = documentDateOrder(dates);
  return { now, dayFirst: documentDayFirst(dates) || shortOrder === 'day', shortOrder };
}

// The date that the whole text states; compact dates and Unix seconds or milliseconds, as in JSON, are also accepted.
export function readDate(text: string, context: DateContext): DateReading | null {
  if (text.length > 4 * MAX_DATE_LENGTH) return null;
  const written = text.trim().replace(/[\s.,;]+$/, '');
  if (written === '' || written.length > MAX_DATE_LENGTH) return null;
  if (/^\d{10}(?:\d{3})?$/.test(written)) {
    return plausible(Number(written) * (written.length === 10 ? 1000 : 1), 'time', context.now);
  }
  const match = matchDateAt(written, 0, { ...context, slot: true });
  if (!match?.reading) return null;
  const rest = written.slice(match.end);
  if (rest === '') return match.reading;
  return match.reading.precision === 'time' && ZONE_TAIL.test(rest) ? match.reading : null;
}

// The first date in a text and its position.
export function findDate(text: string, context: DateContext): FoundDate | null {
  if (!context.relative && !YEAR_NAME_OR_SLASHES.test(text)) return null;
  let from = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (index < from || !(DATE_START.test(word) || (context.relative && RELATIVE_START.test(word)))) continue;
    if (gluedBefore(text, index, word)) continue;
    const match = matchDateAt(text, index, context);
    if (match?.reading) return { ...match.reading, start: index, end: match.end };
    // The search goes on behind the match: in `30 February 2024`, which is no date, `February 2024` is none either.
    if (match) from = match.end;
  }
  return null;
}

// Whether digits belong to the text before them and are no date: `nightly-2024-01-15`, `1.0.0+20240115`, `#12/01/2024`.
function gluedBefore(text: string, at: number, word: string): boolean {
  const before = text[at - 1] ?? '';
  if (/[#$€£@+~]/.test(before)) return true;
  if (!/[-/._]/.test(before) || !/[\p{L}\p{N}]/u.test(text[at - 2] ?? '')) return false;
  // A slash may separate a version from its date: `1.2.0/2024-02-01`.
  return !(before === '/' && word.length === 4 && /\d/.test(text[at - 2] ?? ''));
}
