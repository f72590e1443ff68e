// Whether a release is a rollup of a period or of several versions.

import { unmark } from '../clean-text.ts';
import { scanBlocks } from './blocks.ts';
import { isVersionHeading } from './headings.ts';
import { inline } from './inline.ts';

const DIGEST = new Set(
  `weekly biweekly fortnightly monthly bimonthly quarterly annual yearly digest roundup round-up recap newsletter`.split(
    /\s+/,
  ),
);
const CONNECTORS = new Set(
  `a an and changelog changes edition for from highlights in issue month news no note notes of our product quarter
  release released releases review summary the this update updates vol volume week what's whats new year`.split(/\s+/),
);
// Words of titles that announce a collection of news rather than one piece.
const COLLECTING = new Set(
  'update updates release releases notes changelog new news digest roundup round-up recap highlights newsletter review'.split(
    ' ',
  ),
);
const MAX_NAME_WORDS = 3;
const VERSION_HEADINGS_OF_ROLLUP = 3;

// A rollup covers a period or several versions; everything else is one feature or one version.
export function releaseType(title: string, content: string): 'feature' | 'rollup' {
  return isPeriodTitle(unmark(inline(title.slice(0, 300)))) || holdsVersions(content) ? 'rollup' : 'feature';
}

// Most notes name fewer versions than a rollup has headings, so they need not be read.
function namesVersions(content: string): boolean {
  const pattern = /\d\.\d/g;
  for (let count = 0; count < VERSION_HEADINGS_OF_ROLLUP; count += 1) if (!pattern.test(content)) return false;
  return true;
}

function holdsVersions(content: string): boolean {
  if (!namesVersions(content)) return false;
  let count = 0;
  for (const block of scanBlocks(content)) {
    if (block.kind !== 'heading' || !/\d\.\d/.test(content.slice(block.start, Math.min(block.end, block.start + 200))))
      continue;
    if (isVersionHeading(unmark(inline(content.slice(block.start, Math.min(block.end, block.start + 400))))))
      count += 1;
    if (count >= VERSION_HEADINGS_OF_ROLLUP) return true;
  }
  return false;
}

type TitleWordKind = 'month' | 'season' | 'part' | 'year' | 'day' | 'range' | 'digest' | 'number' | 'known' | 'unknown';

function isPeriodTitle(title: string): boolean {
  const [head = '', tail] = splitHeadline(title);
  const words = head
    .toLowerCase()
    .replace(/’/g, "'")
    .split(/[\s,]+/)
    .map(bare)
    .filter(Boolean);
  if (words.length === 0 || words.length > 12) return false;
  const collects = words.some((word) => COLLECTING.has(word) || DIGEST.has(word));
  if (tail !== undefined && !collects) return false;
  const kinds = words.map(kindOf);
  const has = (kind: TitleWordKind) => kinds.includes(kind);
  const unknown = kinds.filter((kind) => kind === 'unknown').length;
  const dated = (has('month') || has('season') || has('part')) && has('year');
  if (/\bthis (?:week|month|quarter|year) (?:in|at)\b/.test(words.join(' '))) return true;
  if (isOneDay(kinds, words)) return false;
  if (unknown === 0) {
    return (
      has('month') || has('season') || has('part') || has('digest') || isYearOnly(words, kinds) || isWeek(words, kinds)
    );
  }
  const known = kinds.findIndex((kind) => kind !== 'unknown');
  const onlyBefore = kinds.lastIndexOf('unknown') < known && unknown <= MAX_NAME_WORDS;
  return onlyBefore && (dated || (has('digest') && (has('number') || has('day') || has('year'))));
}

// Divides a title such as "What's new in March 2024: hooks and more", which is classified by its first part.
function splitHeadline(title: string): [string, string | undefined] {
  const match = /^([^:–—|]{3,80}?)\s*(?:[:–—|]|\s-\s)\s*(\S.{0,300})$/.exec(title);
  if (!match?.[1] || !match[2]) return [title, undefined];
  const restIsPeriod = match[2]
    .toLowerCase()
    .split(/[\s,]+/)
    .map(bare)
    .every((word) => kindOf(word) !== 'unknown');
  return restIsPeriod ? [title, undefined] : [match[1], match[2]];
}

// A title with a day is about that day, unless the day begins a week or a range.
function isOneDay(kinds: readonly TitleWordKind[], words: readonly string[]): boolean {
  const days = kinds.filter((kind) => kind === 'day').length;
  return (
    kinds.includes('month') &&
    days === 1 &&
    !kinds.includes('digest') &&
    !words.includes('week') &&
    !words.includes('range')
  );
}

function isYearOnly(words: readonly string[], kinds: readonly TitleWordKind[]): boolean {
  if (/\b(?:year|\d{4}) in review\b/.test(words.join(' '))) return true;
  return kinds.length === 1 && kinds[0] === 'year';
}

function isWeek(words: readonly string[], kinds: readonly TitleWordKind[]): boolean {
  const at = words.indexOf('week');
  return at !== -1 && (kinds[at + 1] === 'day' || kinds[at + 1] === 'number');
}

function kindOf(word: string): TitleWordKind {
  if (DIGEST.has(word)) return 'digest';
  if (/^#\d{1,5}$/.test(word)) return 'number';
  if (/^\d{1,2}[-–]\d{1,2}$/.test(word)) return 'range';
  const period = periodWord(word);
  if (period) return period;
  if (/^\d{1,4}$/.test(word)) return 'number';
  return CONNECTORS.has(word) || word === '-' || word === '&' ? 'known' : 'unknown';
}

function bare(word: string): string {
  return isBare(word) ? word : word.replace(/^[^\p{L}\p{N}#'&]+|[^\p{L}\p{N}&]+$/gu, '');
}

const MONTHS = new Set(
  `jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october
  nov november dec december`.split(/\s+/),
);
const SEASONS = new Set(['spring', 'summer', 'autumn', 'fall', 'winter']);

type PeriodWord = 'month' | 'season' | 'part' | 'year' | 'day';

// The part of a date that a word is. The word is in lower case and without punctuation at its ends.
export function periodWord(word: string): PeriodWord | null {
  if (MONTHS.has(word)) return 'month';
  if (SEASONS.has(word)) return 'season';
  if (!/\d/.test(word)) return null;
  if (/^(?:q[1-4]|h[12])$/.test(word)) return 'part';
  if (/^(?:(?:19|20|21)\d\d|['’]\d\d)$/.test(word)) return 'year';
  if (/^(?:[12]?\d|3[01])(?:st|nd|rd|th)?$/.test(word)) return 'day';
  return null;
}

// Whether a word in lower case begins and ends with a plain letter or digit, so that nothing has to be taken off its ends.
// Two characters are read faster than a pattern of all scripts is tried, and this is asked of every word of every title.
export function isBare(word: string): boolean {
  return isPlain(word.charCodeAt(0)) && isPlain(word.charCodeAt(word.length - 1));
}

function isPlain(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}
