import { PLAIN_PRERELEASE_WORDS, prereleaseWordOf } from './prerelease.ts';
import { classOfWord } from './word-classes.ts';

// A number in a title that has the form of a version; whether it is one depends on the words before it.
export type VersionCandidate = { text: string; numberCount: number; hasV: boolean; before: string };

const UNIT = /^\s?(?:x|am|pm|gb|mb|ms|s|k|million|hours?|minutes?|days?|users?)(?![\p{L}\d])/iu;
const FURTHER_NUMBER = /^[-.,:/_\u2013\u2014]?\d/;
const GLUED_BEFORE = /[\p{L}\p{M}\d_\p{Sc}#/-]$|[\p{L}\d]\.$/u;

// Words that may follow a version after a space; others (`next`, `test`, `edge`) begin ordinary phrases there.
const SPACED_PRE_WORDS = new RegExp(`^ (?:${PLAIN_PRERELEASE_WORDS.join('|')})`, 'i');

// Every candidate of a title, left to right.
export function* versionCandidates(title: string): Generator<VersionCandidate> {
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
