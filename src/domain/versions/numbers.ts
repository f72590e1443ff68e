export type VersionScheme = 'numeric' | 'calendar';

// An operator's choice for a source; `auto` reads the scheme from each version.
export type SchemeSetting = 'auto' | VersionScheme;

type NumberReading = { numbers: string[]; rest: string };

const DASHED_DATE = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/;
const COMPACT_DATE = /^(\d{4})(\d{2})(\d{2})(?!\d)/;
const NUMBERS = /^(?:\d+(?:\.\d+)+|\d+(?:_\d+)+|\d+)/;

// The numbers that a text begins with, leading zeros dropped, and what follows them; null when it begins with none.
export function readNumbers(text: string): NumberReading | null {
  const date = readDate(text);
  if (date) return date;
  const run = NUMBERS.exec(text)?.[0];
  if (run === undefined) return null;
  return { numbers: run.split(/[._]/).map(withoutLeadingZeros), rest: text.slice(run.length) };
}

// A date as three numbers, with a further one when the day had several builds.
export function readDate(text: string): NumberReading | null {
  const dashed = DASHED_DATE.exec(text);
  const match = dashed ?? COMPACT_DATE.exec(text);
  const [whole = '', ...fields] = match ?? [];
  if (!isDay(fields.map(Number))) return null;
  const after = text.slice(whole.length);
  const further = /^(?:\.\d+)+/.exec(after)?.[0] ?? (dashed ? /^-\d+(?![\p{L}\d])/u.exec(after)?.[0] : undefined) ?? '';
  const counters = further.split(/[.-]/).slice(1);
  return { numbers: [...fields, ...counters].map(withoutLeadingZeros), rest: after.slice(further.length) };
}

export function schemeOfFirstNumber(first: string): VersionScheme {
  return isCalendarYear(first) ? 'calendar' : 'numeric';
}

export function isCalendarYear(digits: string): boolean {
  const year = Number(digits);
  return year >= 1990 && year <= 2100;
}

export function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

function isDay([year = 0, month = 0, day = 0]: number[]): boolean {
  return isCalendarYear(String(year)) && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}
