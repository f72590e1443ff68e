// Dates as people write them beside a version, parsed without the code under test. A date that can be read in more than
// one order has several right answers, and a month alone matches any day of it.
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';

type Read = (...parts: string[]) => string[];

const FORMS: readonly [RegExp, Read][] = [
  [/(?<![\d.])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d.])/, (year, month, day) => [iso(year, month, day)]],
  [
    /(?<![\d.])(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?![\d.])/,
    (first, _, second, year) => [iso(year, first, second), iso(year, second, first)],
  ],
  [
    /(?<![\d.])(\d{1,2})\/(\d{1,2})\/(\d{2})(?![\d.])/,
    (first, second, year) => [iso(`20${year}`, first, second), iso(`20${year}`, second, first)],
  ],
  [
    new RegExp(`\\b${MONTH}[ -]+(\\d{1,2})(?:st|nd|rd|th)? *,? *(?:at )?(?:\\d+:\\d+\\S* *)?(\\d{4})\\b`, 'i'),
    (name, day, year) => [iso(year, monthOf(name), day)],
  ],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -]+${MONTH},?[ -]+(\\d{4}|\\d{2}(?!\\d))`, 'i'),
    (day, name, year) => [iso(year?.length === 2 ? `20${year}` : year, monthOf(name), day)],
  ],
  [
    new RegExp(`(?<!\\d)(\\d{4})[ -]${MONTH}[ -](\\d{1,2})(?!\\d)`, 'i'),
    (year, name, day) => [iso(year, monthOf(name), day)],
  ],
  [/(?<![\d.])(20[0-3]\d)([01]\d)([0-3]\d)(?![\d.])/, (year, month, day) => [iso(year, month, day)]],
  [new RegExp(`\\b${MONTH},?[ -](\\d{4})\\b`, 'i'), (name, year) => [`${year}-${monthOf(name)}`]],
  [/(?<![\d.-])(20[0-3]\d)-([01]\d)(?![\d.-])/, (year, month) => [`${year}-${month}`]],
];

// The dates that a text may state, as prefixes of ISO dates; empty when it states none.
export function datesIn(text: string): string[] {
  const plain = text.replace(/[*_]/g, ' ');
  for (const [pattern, read] of FORMS) {
    const match = pattern.exec(plain);
    const found = match ? read(...match.slice(1)).filter(isDate) : [];
    if (found.length > 0) return found;
  }
  return [];
}

export function withoutDates(text: string): string {
  return FORMS.reduce((rest, [pattern]) => rest.replace(pattern, ' '), text);
}

function isDate(text: string): boolean {
  const [, month = 0, day = 1] = text.split('-').map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

function iso(year = '', month = '', day = ''): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function monthOf(name = ''): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1).padStart(2, '0');
}
