// How far the stored history of a package reaches, measured against the range that was asked for, and how a caller is told.
import { withoutEmojiCodes } from '../clean-text.ts';
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
// Most lines hold neither word, and need not be tidied.
const FIRST_WORD = /initial|first/iu;
const MARKUP = /[*_`]/g;
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
  if (line.length > MAX_LINE_LENGTH || !FIRST_WORD.test(line.replaceAll(MARKUP, ''))) return false;
  const bare = withoutEmojiCodes(line, ' ')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    // A title or heading may repeat the version and the date before the words.
    .replace(/^v?\d[\w.+-]{0,40}(?:\s*[-–—:(]\s*|\s+)/iu, '')
    .replace(/[^\p{L}\p{N}]+$/u, '')
    .replace(MARKUP, '')
    .replace(/\s+/g, ' ');
  return FIRST_LINE.test(bare) && !NOT_THE_BEGINNING.test(bare);
}

// What decides how a caller can have the source polled.
export interface FollowState {
  // Whether an operator asks, to whom alone the calls of operators are told.
  forOperator: boolean;
  tracked: boolean;
  coordinate: string | null;
  id: string;
}

interface HintedHistory extends FollowState {
  ends: boolean;
  begins: boolean;
  missing: { from: boolean; to: boolean };
  lowest: string | null;
  highest: string | null;
  from: string;
  // Null when the caller asked for the newest version.
  to: string | null;
  // The version that is taken for the upper bound.
  toVersion: string | null;
  checkedAt: string | null;
  failingSince: string | null;
  // What a package registry lists of the range; null when no listing is known.
  published: number | null;
  withoutNotes: readonly string[];
  withoutNotesCount: number;
}

// The hint for versions of a range that may be missing, with how to have the source polled.
export function historyHint(facts: HintedHistory): string {
  const ends = facts.published === null ? ending : beyondListing;
  const sentences = [
    facts.ends ? ends(facts) : null,
    facts.begins && facts.published === null ? beginning(facts) : null,
    missingBounds(facts),
    unnotedVersions(facts),
    ...check(facts),
  ];
  return sentences.filter((sentence) => sentence !== null).join(' ');
}

const MAX_NAMED = 12;

// The published versions of a range that have no notes, by name.
function unnotedVersions({ published, withoutNotes, withoutNotesCount }: HintedHistory): string | null {
  if (published === null || withoutNotesCount === 0) return null;
  const named = withoutNotes.slice(0, MAX_NAMED).join(', ');
  const more = withoutNotesCount > MAX_NAMED ? ` and ${withoutNotesCount - MAX_NAMED} more` : '';
  const have = withoutNotesCount === 1 ? 'has' : 'have';
  return `${withoutNotesCount} of ${published} published versions of this range ${have} no notes here, so what changed there is not known: ${named}${more}.`;
}

// With a listing, only a version that nobody has published is not accounted for.
function beyondListing({ highest, to, withoutNotesCount }: HintedHistory): string | null {
  if (withoutNotesCount > 0) return highest === null ? null : `Stored versions end at ${highest}.`;
  return `${to ?? 'The version asked for'} is neither published nor stored${highest === null ? '' : `; stored versions end at ${highest}`}.`;
}

function ending({ highest, to }: HintedHistory): string {
  const known = highest === null ? 'No version of this package is stored' : `Stored versions end at ${highest}`;
  return to === null ? `${known}, and newer ones may exist.` : `${known}; what came after it up to ${to} is not known.`;
}

function beginning({ lowest, from }: HintedHistory): string {
  return `Stored versions begin at ${lowest}; what came between ${from} and it is not known.`;
}

function missingBounds(facts: HintedHistory): string | null {
  const { missing, from, toVersion, ends, begins, lowest, highest } = facts;
  const [one, other] = [missing.from ? from : [], missing.to ? (toVersion ?? []) : []].flat();
  if (one === undefined) return null;
  // A listing misses only a version above everything that it names.
  if (facts.published !== null) return `${one} is neither published nor stored.`;
  const named = other === undefined ? `Version ${one} is` : `Versions ${one} and ${other} are`;
  const gap = `${named} not stored, so what changed there is not known, and other versions of the range may be missing too.`;
  return ends || begins ? gap : `${gap} Stored versions reach from ${lowest} to ${highest}.`;
}

function check({ checkedAt, failingSince, ...followed }: HintedHistory): (string | null)[] {
  const last =
    checkedAt === null
      ? 'The source was never checked for newer releases.'
      : `The source was last checked at ${checkedAt}.`;
  if (failingSince !== null) return [last, `Its fetches have failed since ${failingSince}.`, ...followHints(followed)];
  return [
    last,
    ...(followed.tracked ? ['It is checked regularly, so newer versions come by themselves.'] : followHints(followed)),
  ];
}

// Hints on how to have a source polled; none for a source that is polled anyway.
export function followHints({ tracked, coordinate, id, forOperator }: FollowState): string[] {
  if (tracked) return [];
  const lookup = coordinate === null ? [] : [`POST /v1/lookups for ${coordinate} reads it now.`];
  if (!forOperator) return [...lookup, 'To have it followed, ask an operator of this registry.'];
  const resume = `To have it followed, an operator resumes it (PATCH /v1/sources/${id} with fetchPriority normal and isHidden false) or imports it with --track.`;
  return [...lookup, resume];
}
