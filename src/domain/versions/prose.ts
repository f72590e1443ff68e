import { isCalendarYear } from './numbers.ts';
import { type VersionCandidate, versionCandidates } from './prose-candidate.ts';

// A version is near the beginning of a title, so only this much is read, which bounds the work.
const MAX_TITLE_LENGTH = 500;

const LEAD_WORDS = new Set(
  "release version update changelog notes introducing announcing new the what's in is out now available".split(' '),
);
const FOREIGN_LEADS = new Set('for with on to from than until before since requires supports using via'.split(' '));
const VERSION_MARKS = new Set(['v', 'version']);
const SINGLE_NUMBER_LEADS = new Set(['v', 'version', 'release', 'build']);

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
