import type { DateParts } from './calendar.ts';
import type { DateOrder } from './document-order.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const ORDINAL = '(?:st|nd|rd|th)?';
// Two digits are read as a year only before a time, a closing mark or the end.
const YEAR = '(?<year>\\d{4}|\\d{2}(?=\\s{0,3}(?:$|[)\\],;]|\\d{1,2}:\\d{2})))';

type Groups = Readonly<Record<string, string | undefined>>;

interface Orders {
  dayFirst?: boolean;
  shortOrder?: DateOrder | null;
}

export interface DateForm {
  pattern: RegExp;
  // The form counts only where a date is expected; elsewhere the same digits are a version or a number.
  slotOnly?: boolean;
  // The form holds a time of day between day and year.
  clockInside?: boolean;
  // Null when the digits are a date only in an order that is not known.
  parts(groups: Groups, orders: Orders): DateParts | null;
}

function form(source: string, parts: DateForm['parts'], extra: Partial<DateForm> = {}): DateForm {
  return { pattern: new RegExp(source, 'iy'), parts, ...extra };
}

function named(groups: Groups): DateParts {
  const month = MONTHS.indexOf((groups.name ?? '').slice(0, 3).toLowerCase()) + 1;
  const day = groups.day;
  return { year: fullYear(groups.year ?? ''), month, ...(day === undefined ? {} : { day: Number(day) }) };
}

function numbered(groups: Groups): DateParts {
  const day = groups.day;
  return {
    year: Number(groups.year),
    month: Number(groups.month),
    ...(day === undefined ? {} : { day: Number(day) }),
  };
}

// Reads `03/04/2024`: a part above 12 is the day, and dotted dates always put the day first.
function either(groups: Groups, { dayFirst = false }: Orders): DateParts {
  const year = Number(groups.year);
  const first = Number(groups.first);
  const second = Number(groups.second);
  const firstIsDay = first > 12 || (second <= 12 && (dayFirst || groups.mark === '.'));
  return firstIsDay ? { year, month: second, day: first } : { year, month: first, day: second };
}

// Reads `18/02/19` in the order that its document proves; null when it proves none.
function short({ first = '', second = '', third = '' }: Groups, { shortOrder: order }: Orders): DateParts | null {
  if (order === 'year') return { year: fullYear(first), month: Number(second), day: Number(third) };
  if (order === 'day') return { year: fullYear(third), month: Number(second), day: Number(first) };
  return order === 'month' ? { year: fullYear(third), month: Number(first), day: Number(second) } : null;
}

function fullYear(text: string): number {
  const year = Number(text);
  if (text.length !== 2) return year;
  return year >= 70 ? 1900 + year : 2000 + year;
}

// Forms that begin with a digit, longest reading first.
export const DIGIT_FORMS: readonly DateForm[] = [
  form('(?<year>\\d{4})(?<mark>[-/])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})', numbered),
  form(`(?<year>\\d{4})[\\s-]{1,3}${MONTH}[\\s-]{1,3}(?<day>\\d{1,2})${ORDINAL}`, named),
  form(`(?<day>\\d{1,2})${ORDINAL}(?:\\s{1,3}of)?[\\s-]{1,3}${MONTH},?[\\s-]{1,3}${YEAR}`, named),
  form('(?<first>\\d{1,2})(?<mark>[-/.])(?<second>\\d{1,2})\\k<mark>(?<year>\\d{4})', either),
  form('(?<first>\\d{1,2})/(?<second>\\d{1,2})/(?<third>\\d{2})(?!\\d)', short),
  form('(?<year>\\d{4})-(?<month>\\d{2})', numbered),
  form('(?<year>\\d{4})\\.(?<month>\\d{1,2})\\.(?<day>\\d{1,2})', numbered, { slotOnly: true }),
  form('(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})', numbered, { slotOnly: true }),
];

// Forms that begin with the name of a month.
export const NAME_FORMS: readonly DateForm[] = [
  form(`${MONTH}[\\s-]{1,3}(?<day>\\d{1,2})${ORDINAL}(?:\\s{0,3},\\s{0,3}|\\s{1,3}|-)(?<year>\\d{4})`, named),
  form(
    `${MONTH}\\s{1,3}(?<day>\\d{1,2})(?<clock>\\s\\d{2}:\\d{2}(?::\\d{2})?(?:\\s[A-Z]{1,4})?)\\s(?<year>\\d{4})`,
    named,
    { clockInside: true },
  ),
  form(`${MONTH}(?:,?\\s{1,3}|-)(?<year>\\d{4})`, named),
];
