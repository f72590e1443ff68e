// Reads the version and the date of a heading.
import { type DateReading, findDate } from '../dates/index.ts';
import { compareVersionKeys, parseVersion, versionInProse, versionSort } from '../versions/index.ts';
import { PLAIN_PRERELEASE_WORDS } from '../versions/prerelease.ts';
import { sentenceVersion } from './heading-sentences.ts';
import { trimEdges } from './heading-text.ts';
import { isForeignVersion, wordsBeside } from './heading-words.ts';
import type { HeadingContext, HeadingReading, RankedHeading } from './types.ts';

const WORDS_BEFORE = 4;
const DOTTED_DATE_FIRST = /^\d{4}\.\d{1,2}\.\d{1,2}[\s:,-]+(?:version|release|v)\s*(\d+(?:\.\d+)+[\w.+-]*)$/i;
// Few words precede a version, so that only the beginning of a long heading is read.
const WORDS_READ = 12;
const CHARACTERS_READ = 200;

// `text` is the plain text of the heading.
export function readHeading(text: string, context: HeadingContext): HeadingReading {
  const found = findDate(text, context);
  const words = (found ? trimEdges(`${text.slice(0, found.start)} ${text.slice(found.end)}`) : text).replace(
    /\s+/g,
    ' ',
  );
  const named = readVersion(words, context);
  const reading = { ...named, words, ...wordsBeside(words, named.written, context.names) };
  if (found) {
    const { at, precision, start, end } = found;
    return { ...reading, date: { at, precision }, dateText: text.slice(start, end) };
  }
  return { ...reading, ...dateBeside(words, named.version, context) };
}

interface NamedVersion {
  version: string | null;
  product: string | null;
  packagePart: string | null;
  more: readonly string[];
  // The version part of the heading as written.
  written: string | null;
}

const NO_VERSION: NamedVersion = { version: null, product: null, packagePart: null, more: [], written: null };

// The number of a pre-release behind its version: `2.0.0 (Beta 3)`, `2.0.0 Release Candidate 1`.
const SET_OFF = new RegExp(
  String.raw`^(\D{0,40}\d+(?:\.\d+)+)(?:\s?[,(\u2010-\u2015[]\s?|\s-\s|\s(?=release))(release candidate|${PLAIN_PRERELEASE_WORDS.join('|')})[\s.#]{0,2}(\d{1,4})[)\]]?$`,
  'i',
);

function readVersion(heading: string, context: HeadingContext): NamedVersion {
  const { names } = context;
  const words = heading.replace(SET_OFF, (_, version: string, word: string, number: string) => {
    return `${version} ${word.length > 12 ? 'rc' : word} ${number}`;
  });
  if (words === '' || !/\d/.test(words)) return NO_VERSION;
  // A heading may begin with its date: `2022.01.26 Version 1.4.14`.
  const behindDate = DOTTED_DATE_FIRST.exec(words)?.[1];
  if (behindDate !== undefined) return { ...NO_VERSION, version: behindDate, written: behindDate };
  const several = severalVersions(words, names) ?? severalVersions(withoutDates(words, context), names);
  if (several) {
    const [version = null, ...more] = several.versions;
    return { ...NO_VERSION, version, more, written: several.written };
  }
  const word = wordVersion(words, names) ?? packageAndVersion(words);
  if (word) return { ...NO_VERSION, ...word, written: words };
  const sentence = sentenceVersion(words, names);
  if (sentence) return { ...NO_VERSION, ...sentence, written: sentence.version };
  const version = proseVersion(words, names) ?? leadingVersion(words, names);
  return { ...NO_VERSION, version, written: version };
}

const OTHER_DATE = /\([^()]{6,30}\)/g;

// Each of several versions may have a date of its own: `1.0.1 (2015-01-01), 1.0.2 (2015-01-02)`.
function withoutDates(words: string, context: HeadingContext): string {
  if (words.length > CHARACTERS_READ || !words.includes('(')) return '';
  return words.replace(OTHER_DATE, (text) => (findDate(text, context) ? '' : text)).replace(/\s+(?=[,;]|$)/g, '');
}

// A heading of one word, such as `v1.2.3` or `@acme/core@3.1.0`, is read like a tag.
function wordVersion(word: string, names: readonly string[]): Pick<NamedVersion, 'version' | 'packagePart'> | null {
  // `2.4.x` is a series of versions.
  if (/[\s,;|&"'<>=?]/.test(word) || /[._-][x*](?![\p{L}\p{N}])/iu.test(word)) return null;
  if (!(/^v?\.?\d/i.test(word) || /^@?[^@]+@v?\d/.test(word) || beginsWithName(word, names))) return null;
  const parsed = parseVersion(word);
  if (!parsed || parsed.numbers.length < 2) return null;
  const { packagePart } = parsed;
  const text = packagePart === null ? word : word.slice(packagePart.length).replace(/^[-@_/]/, '');
  return { version: text.replace(/^v\.?(?=\d)/i, '').replace(/\([^()]*\)$/, ''), packagePart };
}

// A whole version before other words: `v0.9.18-137 / beta-18`, `4.0.0-1 Prerelease`.
function leadingVersion(words: string, names: readonly string[]): string | null {
  const first = /^v?\d+(?:\.\d+){2,}[\w.+-]*(?=\s)/i.exec(words)?.[0];
  if (first === undefined || isForeignVersion(words, first, names)) return null;
  return wordVersion(first, [])?.version ?? null;
}

// A scoped name is always a package, whatever other names the file mentions: `@acme/core 3.1.0`.
function packageAndVersion(words: string): Pick<NamedVersion, 'version' | 'packagePart'> | null {
  const match = /^(@[a-z\d][\w.-]*\/[a-z\d][\w.-]*) v?(\d+(?:\.\d+)+[\w.+-]*)$/i.exec(words);
  return match ? { version: match[2] ?? null, packagePart: match[1] ?? null } : null;
}

function beginsWithName(word: string, names: readonly string[]): boolean {
  const lower = word.toLowerCase();
  return names.some((name) =>
    name
      .toLowerCase()
      .split(/\s+/)
      .some(
        (part) =>
          part !== '' && lower.startsWith(part) && !/^\p{L}/u.test(lower.slice(part.length).replace(/^v(?=\d)/, '')),
      ),
  );
}

function proseVersion(words: string, names: readonly string[]): string | null {
  const spaced = words.slice(0, CHARACTERS_READ).replace(/,(?=\d)/g, ', ');
  const title = spaced.split(/\s+/, WORDS_READ).join(' ');
  const version = versionInProse(title, names);
  if (version === null || isForeignVersion(title, version, names)) return null;
  const before = title.slice(0, title.indexOf(version)).split(' ');
  return before.filter((word) => /[\p{L}\p{N}]/u.test(word) && !/^v\.?$/i.test(word)).length > WORDS_BEFORE
    ? null
    : version;
}

// The date beside a version. `20240201` and `2024.02.01` are dates beside a version and versions by themselves.
function dateBeside(
  words: string,
  version: string | null,
  context: HeadingContext,
): { date: DateReading | null; dateText: string } {
  const none = { date: null, dateText: '' };
  if (version === null || version.length > words.length - 8) return none;
  const at = words.indexOf(version);
  const rest = `${words.slice(0, at)} ${words.slice(at + version.length)}`;
  const found = findDate(rest, { ...context, slot: true });
  if (!found) return none;
  return { date: { at: found.at, precision: found.precision }, dateText: rest.slice(found.start, found.end) };
}

// Headings of several releases at once: `5.1.0 / 4.4.0`, `2.9.11/12`, `1.0.4-1.0.5`.

const FULL = /^v?(\d{1,6}(?:\.\d{1,6})+(?:[-+.]?[a-z][\w.+-]*)?)$/i;
const SHORT = /^\d{1,3}$/;
const MAX_PARTS = 12;
const WIDEST_RANGE = 20;
const MAX_LENGTH = 120;
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
function severalVersions(words: string, names: readonly string[]): SeveralVersions | null {
  if (words.length > MAX_LENGTH || !SIGN.test(words)) return null;
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
  if (parts.length < 2 || parts.length > MAX_PARTS) return null;
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
