// What a version text says: its package, its numbers, whether it is a pre-release, its order key, and how far it moved from another.
import {
  buildSortKey,
  type Certainty,
  readDate,
  readNumbers,
  readSuffix,
  type SchemeSetting,
  schemeOfFirstNumber,
  type VersionScheme,
  withoutLeadingZeros,
} from './sort-key.ts';
import { classOfWord, isMovingHead, isNeutralPrefix } from './word-classes.ts';

export type ParsedVersion = {
  // The text as published.
  text: string;
  packagePart: string | null;
  epoch: number;
  // The numbers as written, without leading zeros; empty when the text has none.
  numbers: string[];
  // Null when there is no number.
  scheme: VersionScheme | null;
  phase: 'pre' | 'final' | 'post';
  // The parts of a pre-release, or the one number of a post-release.
  rest: string[];
  prerelease: Certainty;
  sortKey: string | null;
};

// Reads a tag or version text; null for placeholders, the empty text and texts too long to be a version.
export function parseVersion(text: string): ParsedVersion | null {
  if (text.length > MAX_VERSION_LENGTH || isPlaceholderVersion(text)) return null;
  const { packagePart, preWord, version } = splitPackage(withoutClosingParenthesis(withoutTagRef(text)));
  const plain = withoutBuild(version).replace(/^(?:v\.?|\p{L})(?=\d)/iu, '');
  const epoch = /^(\d+)[!:](?=\d)/.exec(plain);
  const reading = readNumbers(plain.slice(epoch?.[0].length ?? 0));
  if (reading === null) return withoutNumber(text, packagePart, plain);

  const { numbers, rest } = reading;
  const suffix = readSuffix(rest, preWord);
  const epochDigits = withoutLeadingZeros(epoch?.[1] ?? '0');
  return {
    text,
    packagePart,
    epoch: Number(epochDigits),
    numbers,
    scheme: schemeOfFirstNumber(numbers[0] ?? ''),
    phase: suffix.pre.length > 0 ? 'pre' : suffix.post === null ? 'final' : 'post',
    rest: suffix.post === null ? suffix.pre.map((part) => part.text) : [suffix.post],
    prerelease: suffix.prerelease,
    sortKey: buildSortKey(epochDigits, numbers, suffix),
  };
}

// The order key of a version text, or null.
export function versionSort(text: string): string | null {
  return parseVersion(text)?.sortKey ?? null;
}

// The field `prerelease`: a certain word decides, otherwise the source's own flag, otherwise the text.
export function isPrerelease(text: string | null, sourceFlag?: boolean | null): boolean {
  return flagsPrerelease(text === null ? null : parseVersion(text), sourceFlag);
}

// The same for a version that is already parsed.
export function flagsPrerelease(version: ParsedVersion | null, sourceFlag?: boolean | null): boolean {
  const certainty = version?.prerelease ?? 'none';
  if (certainty === 'certain') return true;
  return sourceFlag ?? certainty === 'ambiguous';
}

function withoutNumber(text: string, packagePart: string | null, plain: string): ParsedVersion {
  const word = plain.toLowerCase();
  const moving = classOfWord(word) === 'pre' || isMovingHead(word);
  const prerelease = moving ? 'certain' : 'none';
  return {
    text,
    packagePart,
    epoch: 0,
    numbers: [],
    scheme: null,
    phase: 'final',
    rest: [],
    prerelease,
    sortKey: null,
  };
}

function withoutBuild(version: string): string {
  return (version.split('+', 1)[0] ?? '').trim();
}

// The text behind a `v:` identity: `<package part>@<version>`, or the version alone when there is no package part; lower
// case, without `refs/tags/`, a word like `release-` and the leading `v`. Build and flavour stay, because they
// distinguish releases that share an order key; so does a pre-release word in front.
export function versionIdentity(text: string): string {
  const tag = withoutTagRef(text);
  if (tag.length > MAX_VERSION_LENGTH) return tag.toLowerCase();
  const { packagePart, preWord, version } = splitPackage(tag);
  const plain = version
    .trim()
    .toLowerCase()
    .replace(/^v\.?(?=\d)/, '');
  if (preWord !== null) return `${preWord}-${plain}`;
  return packagePart === null ? plain : `${packagePart.toLowerCase()}@${plain}`;
}

// Longer texts are no version; the limit bounds the work that a hostile tag can cause.
export const MAX_VERSION_LENGTH = 200;

const PLACEHOLDERS = new Set(['', 'unknown', 'none', 'n/a', 'null', 'undefined', '-']);

// The text without surrounding space and git's tag path.
export function withoutTagRef(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('refs/tags/') ? trimmed.slice('refs/tags/'.length).trim() : trimmed;
}

// The text without a closing `(…)`; a text that is nothing but a parenthesis stays as it is.
function withoutClosingParenthesis(text: string): string {
  if (!text.endsWith(')')) return text;
  let depth = 0;
  for (let at = text.length - 1; at > 0; at--) {
    if (text[at] === ')') depth++;
    else if (text[at] === '(') depth--;
    if (depth === 0) return text.slice(0, at).trimEnd();
  }
  return text;
}

// True for texts that stand for "no version" and are stored as null, the empty one included.
export function isPlaceholderVersion(text: string): boolean {
  const word = withoutClosingParenthesis(withoutTagRef(text)).toLowerCase();
  if (PLACEHOLDERS.has(word)) return true;
  return word.startsWith('<') && word.endsWith('>') && PLACEHOLDERS.has(word.slice(1, -1).trim());
}

type PackageSplit = {
  packagePart: string | null;
  // A pre-release word that stood before the version, as in `nightly-2024-01-15`; lower case.
  preWord: string | null;
  version: string;
};

const VERSION_START = /^(?:v\.?)?\d/i;
const MARKED_OR_JOINED = /^(?:v\.?\d|\d+[._]\d)/i;
const SEPARATORS = '-_/ ';

// Splits the name of a package, or a word like `release`, from the version that follows it.
export function splitPackage(text: string): PackageSplit {
  return splitAtSign(text) ?? (VERSION_START.test(text) ? whole(text) : splitName(text));
}

// The text before an `@` is a package even when it is a pre-release word: `next@15.0.0`.
function splitAtSign(text: string): PackageSplit | null {
  const at = text.lastIndexOf('@');
  const name = text.slice(0, Math.max(at, 0));
  const version = text.slice(at + 1).trim();
  if (name === '' || version === '' || /\s/.test(name)) return null;
  if (VERSION_START.test(name) && !VERSION_START.test(version)) return null;
  return { packagePart: name, preWord: null, version };
}

function splitName(text: string): PackageSplit {
  for (let at = 0; at < text.length; at++) {
    if (!SEPARATORS.includes(text.charAt(at))) continue;
    const name = trimSeparators(text.slice(0, at));
    const version = text.slice(at + 1);
    if (beginsVersion(version, name)) return named(name, version);
  }
  return splitGlued(text) ?? whole(text);
}

function splitGlued(text: string): PackageSplit | null {
  const letters = /^\p{L}{2,}/u.exec(text)?.[0];
  if (letters === undefined) return null;
  const name = withoutGluedV(letters);
  const version = text.slice(name.length);
  return beginsVersion(version, name) ? named(name, version) : null;
}

// `dev1.2` and `rev1.2` are words of their own; in `appv1.2` the `v` belongs to the version.
function withoutGluedV(letters: string): string {
  const known = classOfWord(letters.toLowerCase()) !== 'unknown';
  return !known && letters.length > 2 && /v$/i.test(letters) ? letters.slice(0, -1) : letters;
}

function beginsVersion(text: string, name: string): boolean {
  if (MARKED_OR_JOINED.test(text) || readDate(text) !== null) return true;
  return name !== '' && isNeutral(name) && /^\d/.test(text);
}

function named(name: string, version: string): PackageSplit {
  if (isNeutral(name)) return { packagePart: null, preWord: null, version };
  const word = name.toLowerCase();
  if (classOfWord(word) === 'pre') return { packagePart: null, preWord: word, version };
  return { packagePart: name, preWord: null, version };
}

function isNeutral(name: string): boolean {
  return name.split(/[-_/ ]/).every((word) => word === '' || isNeutralPrefix(word.toLowerCase()));
}

function trimSeparators(name: string): string {
  let end = name.length;
  while (end > 0 && SEPARATORS.includes(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}

function whole(text: string): PackageSplit {
  return { packagePart: null, preWord: null, version: text };
}

export type VersionStep = 'major' | 'minor' | 'patch';

// How far a version moved from the greatest lower stable one of its package and scheme. Null without order key and for
// calendar versions, whose numbers tell the date and not the size of a change.
export function versionStep(
  current: ParsedVersion,
  previousStable: ParsedVersion | null,
  setting: SchemeSetting = 'auto',
): VersionStep | null {
  const scheme = setting === 'auto' ? current.scheme : setting;
  if (current.sortKey === null || scheme === 'calendar') return null;
  if (previousStable === null) return firstStep(current.numbers);
  if (numberAt(current, 0) !== numberAt(previousStable, 0)) return 'major';
  return numberAt(current, 1) === numberAt(previousStable, 1) ? 'patch' : 'minor';
}

function firstStep([major = '0', minor = '0', ...lower]: readonly string[]): VersionStep {
  if (lower.some((number) => number !== '0')) return 'patch';
  return minor === '0' && Number(major) >= 2 ? 'major' : 'minor';
}

function numberAt(version: ParsedVersion, index: number): string {
  return version.numbers[index] ?? '0';
}
