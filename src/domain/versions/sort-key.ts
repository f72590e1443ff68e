import { prereleaseWordOf } from './prerelease.ts';
import { classOfWord } from './word-classes.ts';

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

const MAX_DIGITS = 26;
const SURROGATE = /[\ud800-\udfff]/;

// The order key: epoch, numbers without trailing zeros, then the phase. Phases are digits and numbers begin with a
// letter, so a version sorts before the longer ones that extend it. Null when a number is too long to be keyed.
export function buildSortKey(epoch: string, numbers: readonly string[], suffix: Suffix): string | null {
  const keys = [epoch, ...withoutTrailingZeros(numbers)].map(numberKey);
  const phase = phaseKey(suffix);
  if (phase === null || keys.includes(null)) return null;
  return keys.join('') + phase;
}

const MAX_FEED_KEY = 120;

// The part of a key that orders releases of the same time in feeds and stands in their cursors: short, and plain ASCII,
// so that it compares the same in code and in both databases. Empty without a version.
export function feedVersionOf(key: string | null): string {
  return /^[!-~]*/.exec(key ?? '')?.[0].slice(0, MAX_FEED_KEY) ?? '';
}

// Order of two keys by their UTF-8 bytes, as both databases compare them.
export function compareVersionKeys(a: string, b: string): number {
  if (a === b) return 0;
  // Without surrogates, code-unit order is byte order; nearly every key is plain ASCII.
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

// The scheme of a stored key; a setting other than `auto` overrides what the key says.
export function schemeOfKey(key: string, setting: SchemeSetting = 'auto'): VersionScheme {
  if (setting !== 'auto') return setting;
  const first = numberAt(key, 1 + digitCount(key, 0));
  return first === null ? 'numeric' : schemeOfFirstNumber(first);
}

function phaseKey({ pre, post }: Suffix): string | null {
  if (post !== null) {
    const number = numberKey(post);
    return number === null ? null : `3${number}`;
  }
  if (pre.length === 0) return '2';
  const parts = pre.map(partKey);
  return parts.includes(null) ? null : `1${parts.join('')}2`;
}

function partKey(part: PrePart): string | null {
  if (part.kind === 'dev') return '1';
  if (part.kind === 'word') return `4${part.text}!`;
  const number = numberKey(part.text);
  return number === null ? null : `3${number}`;
}

function numberKey(digits: string): string | null {
  return digits.length > MAX_DIGITS ? null : String.fromCharCode(64 + digits.length) + digits;
}

function withoutTrailingZeros(numbers: readonly string[]): readonly string[] {
  return numbers.slice(0, numbers.findLastIndex((number) => number !== '0') + 1);
}

function numberAt(key: string, at: number): string | null {
  const count = digitCount(key, at);
  return count === 0 ? null : key.slice(at + 1, at + 1 + count);
}

function digitCount(key: string, at: number): number {
  const count = key.charCodeAt(at) - 64;
  return count >= 1 && count <= MAX_DIGITS ? count : 0;
}

// `dev` is the development release of PEP 440, below every other release of its version; in SemVer texts it is a plain word.
type PrePart = { kind: 'dev' | 'number' | 'word'; text: string };
export type Certainty = 'certain' | 'ambiguous' | 'none';
type Suffix = { pre: PrePart[]; post: string | null; prerelease: Certainty };

type Token = { text: string; isNumber: boolean; afterDash: boolean };

// Reads what follows the numbers; `preWord` is a pre-release word that stood before them.
export function readSuffix(rest: string, preWord: string | null): Suffix {
  const tokens = tokensOf(rest.toLowerCase());
  if (preWord !== null)
    return readPre([prePart({ text: preWord, isNumber: false, afterDash: false })], tokens, 'certain');

  const letter = gluedLetter(rest, tokens);
  if (letter !== null) return { pre: [], post: String(letter), prerelease: 'none' };

  for (const [at, token] of tokens.entries()) {
    const later = tokens.slice(at + 1);
    const next = later[0];
    if (token.isNumber) return token.afterDash ? readPre([prePart(token)], later, 'ambiguous') : readPost(token, later);
    const long = next?.isNumber ? prereleaseWordOf(token.text) : null;
    if (long !== null) return readPre([{ kind: 'word', text: long }], later, 'certain');
    const wordClass = classOfWord(token.text);
    if (wordClass === 'flavour') break;
    if (wordClass === 'post') return readPost(next, later);
    if (wordClass === 'pre') return readPre([prePart(token)], later, 'certain');
    if (wordClass === 'unknown') return readPre([prePart(token)], later, 'ambiguous');
  }
  return { pre: [], post: null, prerelease: 'none' };
}

// Once a pre-release has begun, everything up to a flavour belongs to it.
function readPre(pre: PrePart[], later: Token[], first: Certainty): Suffix {
  const own = untilFlavour(later);
  pre.push(...own.map(prePart));
  return { pre, post: null, prerelease: own.some(isPreWord) ? 'certain' : first };
}

// The key cannot express a pre-release of a post-release (`1.0.post1.dev2`), but the pre-release flag must still be set.
function readPost(number: Token | undefined, later: Token[]): Suffix {
  const post = number?.isNumber ? number.text : '0';
  return { pre: [], post, prerelease: untilFlavour(later).some(isPreWord) ? 'certain' : 'none' };
}

// The patch number of `1.1.1w`, where a single letter directly behind the last number counts patches.
function gluedLetter(rest: string, tokens: Token[]): number | null {
  const [first, second] = tokens;
  if (first === undefined || !/^[a-z]$/.test(first.text) || !/^[a-z]/i.test(rest)) return null;
  if (second !== undefined && classOfWord(second.text) !== 'flavour') return null;
  return first.text.charCodeAt(0) - 'a'.charCodeAt(0) + 1;
}

function tokensOf(rest: string): Token[] {
  const tokens: Token[] = [];
  let afterDash = false;
  let end = 0;
  for (const match of rest.matchAll(/[\p{L}\p{M}\d]+/gu)) {
    afterDash ||= rest.slice(end, match.index).includes('-');
    end = match.index + match[0].length;
    for (const run of runsOf(match[0])) {
      const isNumber = /^\d+$/.test(run);
      tokens.push({ text: isNumber ? withoutLeadingZeros(run) : run, isNumber, afterDash });
    }
  }
  return tokens;
}

// Splits a part into words and numbers. `win32` and `2f8b` stay whole, because pieces of a platform name or of a commit hash
// mean nothing.
function runsOf(part: string): string[] {
  if (classOfWord(part) === 'flavour' || /\d[^\d]/.test(part)) return [part];
  return part.match(/\d+|[^\d]+/g) ?? [];
}

function prePart(token: Token): PrePart {
  if (token.isNumber) return { kind: 'number', text: token.text };
  return { kind: token.text === 'dev' && !token.afterDash ? 'dev' : 'word', text: token.text };
}

function untilFlavour(tokens: Token[]): Token[] {
  const stop = tokens.findIndex((token) => classOfWord(token.text) === 'flavour');
  return stop === -1 ? tokens : tokens.slice(0, stop);
}

function isPreWord(token: Token): boolean {
  return classOfWord(token.text) === 'pre';
}
