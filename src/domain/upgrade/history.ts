// How far the stored history of a package reaches, measured against the range that was asked for.

import { withoutEmojiCodes } from '../markdown/emoji.ts';
import { versionSort } from '../versions/index.ts';
import { PLAIN_PRERELEASE_WORDS } from '../versions/prerelease.ts';
import { isBelow } from './bounds.ts';

// After this many days without a check, the latest version counts as unknown.
const FRESH_DAYS = 14;
const DAY_MS = 86_400_000;

export interface HistoryInfo {
  // Null when the bounds are points in time, which are both stored.
  keys: { from: string; to: string } | null;
  // No version of the package is stored.
  isEmpty: boolean;
  // Null when no stored version can be put in order. `isFirst`: by its number or its own words.
  lowest: { key: string; isFirst: boolean } | null;
  highest: string | null;
  // Whether a release of exactly this version is stored.
  isStored: { from: boolean; to: boolean };
  // The caller asked for the newest version: by `latest`, or by a range that admits everything above the highest stored one.
  isOpenEnd: boolean;
  checkedAt: string | null;
  // A listing of all releases was read to its end.
  isListed: boolean;
}

export interface HistoryGaps {
  // Versions at the upper end of the range may be missing.
  ends: boolean;
  // Versions at the lower end of the range may be missing.
  begins: boolean;
  // The bounds that are not stored, and that neither end already accounts for.
  missing: { from: boolean; to: boolean };
}

const NOTHING_MISSING = { from: false, to: false };

export function historyGaps({ keys, lowest, highest, ...facts }: HistoryInfo, now: Date): HistoryGaps {
  if (facts.isEmpty) return { ends: true, begins: false, missing: NOTHING_MISSING };
  const isAbove = keys !== null && highest !== null && isBelow(highest, keys.to);
  const isStale = facts.isOpenEnd && !isFresh(facts.checkedAt, now);
  const isUnder = keys !== null && lowest !== null && isBelow(keys.from, lowest.key);
  const isFirst = lowest?.isFirst === true;
  const begins = isUnder && !facts.isListed && !isFirst;
  if (keys === null) return { ends: isStale, begins, missing: NOTHING_MISSING };
  // Where the history ends before both bounds, naming the lower one as well would say the same twice.
  const isBeyond = isAbove && highest !== null && isBelow(highest, keys.from);
  const missing = {
    from: !facts.isStored.from && !isBeyond && !begins && !(isUnder && isFirst),
    to: !facts.isStored.to && !isAbove,
  };
  return { ends: isAbove || isStale, begins, missing };
}

export function isFresh(checkedAt: string | null, now: Date): boolean {
  return checkedAt !== null && now.getTime() - Date.parse(checkedAt) <= FRESH_DAYS * DAY_MS;
}

const FIRST_KEYS = new Set(['0.0.1', '0.1.0', '1.0.0'].map((version) => versionSort(version)));

// Whether a version is one with which projects usually begin.
export function isFirstNumber(key: string): boolean {
  return FIRST_KEYS.has(key);
}

// The pattern covers the whole line, so that "the first release with plugins" and "first beta release" do not count.
const FIRST_LINE =
  /^(?:this is |it's |here is )?(?:the |our |my )?(?:very )?(?:initial|first)(?: (?:public|official|open[- ]source|npm|published|ever|working|tagged|github)){0,2} (?:release|version|commit|publication|import|publish)(?: (?:ever|of [\p{L}@][\p{L}@/._-]{0,60}))?$/iu;
const NOT_THE_BEGINNING = new RegExp(
  String.raw`\b(?:series|line|branch|candidate|rewrite|${PLAIN_PRERELEASE_WORDS.join('|')})$`,
  'i',
);
const MAX_LINES = 60;
const MAX_LINE_LENGTH = 200;

// Whether a release calls itself the first one, in its title or in a line of its text.
export function saysItIsFirst(title: string, text: string): boolean {
  return [title, ...text.split('\n', MAX_LINES)].some(isFirstLine);
}

function isFirstLine(line: string): boolean {
  if (line.length > MAX_LINE_LENGTH) return false;
  const bare = withoutEmojiCodes(line, ' ')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    // A title or heading may repeat the version and the date before the words.
    .replace(/^v?\d[\w.+-]{0,40}(?:\s*[-–—:(]\s*|\s+)/iu, '')
    .replace(/[^\p{L}\p{N}]+$/u, '')
    .replace(/[*_`]/g, '')
    .replace(/\s+/g, ' ');
  return FIRST_LINE.test(bare) && !NOT_THE_BEGINNING.test(bare);
}
