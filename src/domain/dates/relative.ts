import { type DateReading, dayBefore, monthBefore, plausible } from './calendar.ts';

const AGO =
  /(?:(?<word>today|yesterday)|(?<count>an?|\d{1,3})\s{1,3}(?<unit>second|sec|minute|min|hour|hr|day|week|month)s?\s{1,3}ago)/iy;
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 };
const HOURS: Readonly<Record<string, number>> = { hour: 1, hr: 1 };

interface RelativeDate extends DateReading {
  end: number;
}

// `3 days ago` at `from`, counted back from the time of reading; only a day or a month is ever stated.
export function relativeAt(text: string, from: number, now: Date): RelativeDate | null {
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
