import { PLAIN_PRERELEASE_WORDS, prereleaseWordOf } from './prerelease.ts';
import { isCalendarYear } from './sort-key.ts';
import { classOfWord } from './word-classes.ts';

// A version is near the beginning of a title, so only this much is read, which bounds the work.
const MAX_TITLE_LENGTH = 500;

const LEAD_WORDS = new Set(
  "release version update changelog notes introducing announcing new the what's in is out now available".split(' '),
);
const FOREIGN_LEADS = new Set('for with on to from than until before since requires supports using via'.split(' '));
const VERSION_MARKS = new Set(['v', 'ver', 'version']);
const SINGLE_NUMBER_LEADS = new Set([...VERSION_MARKS, 'release', 'build']);

// The version that a title or heading announces, without its leading `v`, or null. `names` are those of org, product,
// source, package and repository: a number behind any other name is somebody else's version.
export function versionInProse(title: string, names: readonly string[]): string | null {
  const text = title.slice(0, MAX_TITLE_LENGTH).replaceAll('\u2019', "'");
  const nameWords = new Set(names.flatMap((name) => wordsOf(name).flatMap((word) => [word, ...piecesOf(word)])));
  const found = versionCandidates(text).find((candidate) => isAnnounced(candidate, nameWords));
  return found?.text ?? null;
}

function isAnnounced(candidate: VersionCandidate, nameWords: ReadonlySet<string>): boolean {
  const words = wordsOf(candidate.before).filter((word) => /\p{L}/u.test(word));
  const last = words.at(-1) ?? '';
  const isName = (word: string) => isNameWord(word, nameWords);
  const isLead = (word: string) => LEAD_WORDS.has(word) || isName(word);

  // Like `to 2.0`, `to version 2.0` names the version of something else.
  if (FOREIGN_LEADS.has(last) || (VERSION_MARKS.has(last) && FOREIGN_LEADS.has(words.at(-2) ?? ''))) return false;
  if (candidate.numberCount === 1) return isSingleAnnounced(candidate, words, nameWords);
  if (candidate.hasV || VERSION_MARKS.has(last) || words.every(isLead)) return true;
  return candidate.numberCount >= 3 && isLead(last);
}

function isSingleAnnounced(
  candidate: VersionCandidate,
  words: readonly string[],
  nameWords: ReadonlySet<string>,
): boolean {
  const [first] = words;
  if (first === undefined) return candidate.hasV;
  if (words.length === 1 && SINGLE_NUMBER_LEADS.has(first) && /\p{L}:?\s+$/u.test(candidate.before)) return true;
  const number = /^\d+/.exec(candidate.text)?.[0] ?? '';
  if (isCalendarYear(number) || nameWords.has(number)) return false;
  const directly = wordsOf(candidate.before).at(-1) === words.at(-1) && /[\p{L}\d]\s+$/u.test(candidate.before);
  return directly && words.every((word) => isNameWord(word, nameWords));
}

function isNameWord(word: string, nameWords: ReadonlySet<string>): boolean {
  if (nameWords.has(word)) return true;
  const pieces = piecesOf(word.replace(/'s$/, ''));
  return pieces.length > 0 && pieces.every((piece) => nameWords.has(piece));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '');
}

function piecesOf(word: string): string[] {
  return word.split(/[^\p{L}\p{N}]+/u).filter((piece) => piece !== '');
}

// A number in a title that has the form of a version; whether it is one depends on the words before it.
type VersionCandidate = { text: string; numberCount: number; hasV: boolean; before: string };

const UNIT = /^\s?(?:x|am|pm|gb|mb|ms|s|k|million|hours?|minutes?|days?|users?)(?![\p{L}\d])/iu;
const FURTHER_NUMBER = /^[-.,:/_\u2013\u2014]?\d/;
const GLUED_BEFORE = /[\p{L}\p{M}\d_\p{Sc}#/-]$|[\p{L}\d]\.$/u;

// Words that may follow a version after a space; others (`next`, `test`, `edge`) begin ordinary phrases there.
const SPACED_PRE_WORDS = new RegExp(`^ (?:${PLAIN_PRERELEASE_WORDS.join('|')})`, 'i');

// Every candidate of a title, left to right.
function* versionCandidates(title: string): Generator<VersionCandidate> {
  for (const { 0: numbers, index } of title.matchAll(/\d+(?:\.\d+)*/g)) {
    const prefix = title.slice(0, index);
    const mark = /(?<!\p{L})v\.?$/iu.exec(prefix);
    const before = prefix.slice(0, mark?.index ?? prefix.length);
    const numberCount = numbers.split('.').length;
    if (numberCount > 4 || GLUED_BEFORE.test(before.slice(-2))) continue;
    const suffix = suffixAfter(title.slice(index + numbers.length));
    if (suffix !== null) yield { text: numbers + suffix, numberCount, hasV: mark !== null, before };
  }
}

// The pre-release words and build that belong to the numbers, `''` when none do, null when the numbers are no version.
function suffixAfter(tail: string): string | null {
  const suffix = gluedSuffix(tail) || spacedSuffix(tail);
  const build = /^\+[\da-z][\da-z.-]*(?<![.-])/i.exec(tail.slice(suffix.length))?.[0] ?? '';
  const whole = suffix + build;
  return endsThere(tail.slice(whole.length)) ? whole : null;
}

function gluedSuffix(tail: string): string {
  const match = /^([-.]?)([a-z]+)(\d*)(?![\da-z])/i.exec(tail);
  if (match === null) return '';
  const [word, mark = '', letters = '', digits = ''] = match;
  const after = tail.slice(word.length);
  const isNumbered = digits !== '' || /^\.\d/.test(after);
  if (!isSuffixWord(letters.toLowerCase(), mark, digits, isNumbered)) return '';
  return word + leadingCounters(/^(?:[.-][\da-z]+)+/i.exec(after)?.[0] ?? '');
}

// An unknown word needs a number (`-candidate.0`): `-compatible` and `-ready` are prose.
function isSuffixWord(word: string, mark: string, digits: string, isNumbered: boolean): boolean {
  if (digits !== '' && prereleaseWordOf(word) !== null) return true;
  const wordClass = classOfWord(word + digits) === 'flavour' ? 'flavour' : classOfWord(word);
  if (wordClass === 'unknown') return mark === '-' && isNumbered;
  return wordClass === 'pre' || mark !== '';
}

// `-rc.1` and `-canary-2f8b` go on with a number or hash; `-beta-testers` does not.
function leadingCounters(text: string): string {
  const parts = text.match(/[.-][\da-z]+/gi) ?? [];
  const stop = parts.findIndex((part) => !/\d/.test(part));
  return (stop === -1 ? parts : parts.slice(0, stop)).join('');
}

function spacedSuffix(tail: string): string {
  const short = /^ [abcm]\d+/i.exec(tail)?.[0];
  if (short !== undefined && endsThere(tail.slice(short.length))) return short;
  const word = SPACED_PRE_WORDS.exec(tail)?.[0];
  if (word === undefined || /^\p{L}/u.test(tail.slice(word.length))) return '';
  const number = /^[ .-]?\d+/.exec(tail.slice(word.length))?.[0] ?? '';
  return endsThere(tail.slice(word.length + number.length)) ? word + number : word;
}

function endsThere(tail: string): boolean {
  return !/^(?:[\p{L}\p{M}_]|\.\p{L}|\s?%)/u.test(tail) && !FURTHER_NUMBER.test(tail) && !UNIT.test(tail);
}
