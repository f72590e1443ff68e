// The heading index of a changelog file, by which it is divided into slices and chunks.
import { headingsOf } from '../markdown/headings.ts';
import { splitsPair } from '../markdown/offsets.ts';

export type IndexedHeading = { offset: number; level: 1 | 2 | 3; text: string };

const DEEPEST_LEVEL = 3;

// Longer titles are cut, because every chunk of a section carries the title.
const MAX_TITLE_LENGTH = 200;

// Offsets of the headings of levels 1 to 3 outside of code and comments.
export function headingOffsets(text: string): number[] {
  return headingIndex(text).map((heading) => heading.offset);
}

// The same headings with level and title.
export function headingIndex(text: string): IndexedHeading[] {
  const headings: IndexedHeading[] = [];
  for (const { offset, level, spaced, text: title } of headingsOf(text)) {
    if (spaced && level <= DEEPEST_LEVEL)
      headings.push({ offset, level: level as IndexedHeading['level'], text: truncate(title) });
  }
  return headings;
}

function truncate(title: string): string {
  if (title.length <= MAX_TITLE_LENGTH) return title;
  return title.slice(0, splitsPair(title, MAX_TITLE_LENGTH) ? MAX_TITLE_LENGTH - 1 : MAX_TITLE_LENGTH).trimEnd();
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = `(?<month>${MONTHS.join('|')})(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\\.?`;
const DATES = [
  /(?<!\d)(?<year>\d{4})[-/.](?<number>\d{1,2})[-/.](?<day>\d{1,2})(?!\d)/,
  /(?<!\d)(?<day>\d{1,2})\.(?<number>\d{1,2})\.(?<year>\d{4})(?!\d)/,
  new RegExp(`\\b${MONTH}[ -](?<day>\\d{1,2})(?:st|nd|rd|th)?,?[ -](?<year>\\d{4})\\b`, 'i'),
  new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -]${MONTH},?[ -](?<year>\\d{4})\\b`, 'i'),
  new RegExp(`\\b${MONTH},? (?<year>\\d{4})\\b`, 'i'),
];
const VERSION = /(?<![\w.])v?(?<numbers>\d{1,9}(?:\.\d{1,9})+)|\bv(?:ersion )?(?<major>\d{1,9})\b/i;

// Whether the first and the last heading with a date, else those with a version, are in rising order.
export function isOldestFirst(headings: readonly IndexedHeading[]): boolean {
  return rises(headings, dateOf) ?? rises(headings, versionOf) ?? false;
}

function rises(
  headings: readonly IndexedHeading[],
  read: (title: string) => number[] | undefined,
): boolean | undefined {
  const first = headings.find((heading) => read(heading.text));
  const last = headings.findLast((heading) => read(heading.text));
  if (!first || !last || first === last) return undefined;
  const order = compare(read(first.text) ?? [], read(last.text) ?? []);
  return order === 0 ? undefined : order < 0;
}

function dateOf(title: string): number[] | undefined {
  for (const pattern of DATES) {
    const found = pattern.exec(title)?.groups;
    if (!found) continue;
    const month = found.number ? Number(found.number) : 1 + MONTHS.indexOf((found.month ?? '').toLowerCase());
    const day = Number(found.day ?? 1);
    if (month >= 1 && month <= 12 && day >= 1 && day <= 31) return [Number(found.year), month, day];
  }
  return undefined;
}

function versionOf(title: string): number[] | undefined {
  const undated = DATES.reduce((rest, pattern) => rest.replace(pattern, ' '), title);
  const found = VERSION.exec(undated)?.groups;
  return (found?.numbers ?? found?.major)?.split('.').map(Number);
}

function compare(left: number[], right: number[]): number {
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const order = (left[at] ?? 0) - (right[at] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}
