// Headings of several releases at once: `5.1.0 / 4.4.0`, `2.9.11/12`, `1.0.4-1.0.5`.
import { compareVersionKeys, versionSort } from '../versions/index.ts';
import type { RankedHeading } from './types.ts';

const FULL = /^v?(\d{1,6}(?:\.\d{1,6})+(?:[-+.]?[a-z][\w.+-]*)?)$/i;
const SHORT = /^\d{1,3}$/;
const MOST = 12;
const WIDEST_RANGE = 20;
const LONGEST = 120;
const SEPARATOR =
  /\s*([/,;&|]|(?<=\s)(?:and|to|through|thru|\+|~|-|\u2013|\u2014)(?=\s)|(?<=\d)(?:[-\u2013\u2014]|\.{2,3})(?=v?\d+\.\d))\s*/gi;
const RANGE = /^(?:to|through|thru|~|\.{2,3}|[-\u2013\u2014])$/;
const SIGN = /\d\s*[/,;&|\u2013\u2014]|\d\s*-\s*v?\d+\.\d|\d\.{2,3}v?\d|\s(?:and|to|through|thru|\+|~)\s/i;
// A list of versions before other words: `1.0.1, 1.0.2 Patch releases`.
const VERSION = String.raw`v?\d{1,6}(?:\.\d{1,6})+(?:[-+.]?[a-z][\w.+-]{0,40})?`;
const LISTED = new RegExp(
  String.raw`^${VERSION}(?:\s{0,3}(?:[,;&|/]|(?<=\s)and(?=\s))\s{0,3}${VERSION}){1,11}(?=[\s:(])`,
  'i',
);
const LEAD = /^(?:(?:versions?|releases?)\s+)+/i;

interface SeveralVersions {
  versions: string[];
  written: string;
}

// The versions that a heading lists; null when there is only one.
export function severalVersions(words: string, names: readonly string[]): SeveralVersions | null {
  if (words.length > LONGEST || !SIGN.test(words)) return null;
  const written = withoutNames(words, names);
  return splitVersions(written) ?? splitVersions(LISTED.exec(written)?.[0] ?? '');
}

function splitVersions(written: string): SeveralVersions | null {
  const parts: string[] = [];
  const separators: string[] = [];
  let from = 0;
  for (const match of written.matchAll(SEPARATOR)) {
    parts.push(written.slice(from, match.index));
    separators.push((match[1] ?? '').toLowerCase());
    from = match.index + match[0].length;
  }
  parts.push(written.slice(from));
  if (parts.length < 2 || parts.length > MOST) return null;
  const versions: string[] = [];
  for (const [index, part] of parts.entries()) {
    const read = readPart(part, versions.at(-1), separators[index - 1] ?? '');
    if (!read) return null;
    versions.push(...read);
  }
  const distinct = [...new Set(versions)];
  return distinct.length > 1 ? { versions: distinct, written } : null;
}

function readPart(part: string, previous: string | undefined, separator: string): string[] | null {
  const full = FULL.exec(part)?.[1];
  const isRange = RANGE.test(separator);
  if (full === undefined) {
    if (previous === undefined || isRange || separator === 'and' || !SHORT.test(part)) return null;
    return [previous.replace(/\d+$/, part)];
  }
  if (previous === undefined || !isRange) return [full];
  // A dash joins versions of equal length only, unlike `1.0.0-2.0`. Versions between the two are not assumed, because they
  // may never have been released.
  return full.split('.').length === previous.split('.').length ? [full] : null;
}

function withoutNames(words: string, names: readonly string[]): string {
  const lower = words.toLowerCase();
  const name = names.find((one) => one !== '' && lower.startsWith(`${one.toLowerCase()} `));
  return words
    .slice(name?.length ?? 0)
    .trim()
    .replace(LEAD, '');
}

const SHORT_RANGE = /^(\d{1,6}(?:\.\d{1,6})*\.)(\d{1,6})-(\d{1,4})$/;

// 3.2.6, 3.2.7 and 3.2.8 for `3.2.6-8`; null for a version that can only be a pre-release.
function shortRange(version: string): string[] | null {
  const [, head = '', first = '', last = ''] = SHORT_RANGE.exec(version) ?? [];
  const width = Number(last) - Number(first);
  if (head === '' || !(width > 0 && width <= WIDEST_RANGE)) return null;
  return Array.from({ length: width + 1 }, (_, index) => `${head}${Number(first) + index}`);
}

const NUMERIC_PRERELEASE = /^\d+(?:\.\d+)+-\d+$/;

// Reads `3.2.6-8` as three versions if the file has no other numeric pre-release and its next newer entry is above 3.2.8;
// otherwise it is a pre-release.
export function withShortRanges(headings: readonly RankedHeading[]): RankedHeading[] {
  const isEntry = ({ role, reading }: RankedHeading) => role === 'entry' && reading.version !== null;
  const numeric = headings.filter((one) => isEntry(one) && NUMERIC_PRERELEASE.test(one.reading.version ?? ''));
  // `4.0.0-1 Prerelease` says what it is.
  const only = numeric.length === 1 && !/\d\s.*\p{L}/u.test(numeric[0]?.reading.words ?? '') ? numeric[0] : undefined;
  const range = only ? shortRange(only.reading.version ?? '') : null;
  if (!only || !range) return [...headings];
  const [first = '', ...more] = range;
  const lowest = versionSort(first) ?? '';
  const highest = versionSort(range.at(-1) ?? '') ?? '';
  const keys = headings.flatMap((one) =>
    isEntry(one) && one !== only ? (versionSort(one.reading.version ?? '') ?? []) : [],
  );
  const newer = keys.filter((key) => compareVersionKeys(key, lowest) >= 0);
  const isFree = newer.length > 0 && newer.every((key) => compareVersionKeys(key, highest) > 0);
  if (!isFree) return [...headings];
  return headings.map((one) => (one === only ? { ...one, reading: { ...one.reading, version: first, more } } : one));
}
