import { readNumbers, schemeOfFirstNumber, type VersionScheme, withoutLeadingZeros } from './numbers.ts';
import { splitPackage } from './package-part.ts';
import { buildSortKey, type Certainty, readSuffix } from './sort-key.ts';
import { classOfWord, isMovingHead } from './word-classes.ts';

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
