// Headings that are sentences about a release, such as "Changes in Foo 6.0", and sentences that only mention a version.
import { PLAIN_PRERELEASE_WORDS } from '../versions/prerelease.ts';
import { isForeignVersion, ownWords } from './heading-words.ts';

const SUBJECTS = new Set(
  `bugs change changed changelog changes enhancements features fixed fixes highlights improvements new news notes updates
  what what's`.split(/\s+/),
);
const LEADS = new Set([
  ...SUBJECTS,
  ...`& all and api been breaking bug deprecated deprecations feature has important introduced is key log made main major
  minor notable recent release removed the was`.split(/\s+/),
]);
const PLACES = new Set(['for', 'in', 'of', 'to', 'with']);
const MARKS = new Set(['release', 'ver', 'version']);
const PRERELEASES = new Set([...PLAIN_PRERELEASE_WORDS, 'pre-release']);
const VERSION =
  /^(?<mark>v?)(?<version>\d{1,6}(?:\.\d{1,6}){0,3}(?:[-.]?(?!x\b)[a-z][\w.-]{0,30}|-\d{1,4})?)[.:;,?]?$/i;
const FROM = /\b(?:between|from)\s(?:\S{1,40}\s){0,2}v?\d[\w.-]{0,30}\s(?:and|to)\s(?=\S{0,40}\s?v?\d)/i;
const MAX_LENGTH = 120;
const NAME_WORDS = 3;

interface SentenceVersion {
  version: string;
  // The name before the version, when it is none of the known ones.
  product: string | null;
}

// The version that a sentence announces: "What is new in Foo 2.0.0", "Changes from 1.0 to 2.0", "Beta 1.0.0".
export function sentenceVersion(heading: string, names: readonly string[]): SentenceVersion | null {
  if (heading.length > MAX_LENGTH) return null;
  const words = heading.replace(FROM, 'in ').split(/\s+/);
  const at = words.findIndex((word) => VERSION.test(word));
  const { mark, version } = VERSION.exec(words[at] ?? '')?.groups ?? {};
  if (at < 1 || version === undefined || !/^(?:[([:\u2010-\u2015-].*)?$/.test(words[at + 1] ?? '')) return null;
  if (isForeignVersion(words.slice(0, at + 1).join(' '), version, names)) return null;
  const before = words.slice(0, at);
  const plain = before.map((word) =>
    word
      .toLowerCase()
      .replaceAll('\u2019', "'")
      .replace(/[.:,]$/, ''),
  );
  const isFull = /\d\.\d/.test(version);
  if (isFull && plain.every((word) => PRERELEASES.has(word))) return { version, product: null };
  const named = MARKS.has(plain.at(-1) ?? '') ? at - 1 : at;
  const place = plain.findLastIndex((word, index) => PLACES.has(word) && index < named);
  const lead = plain.slice(0, place);
  if (place < 1 || !lead.every((word) => LEADS.has(word)) || !lead.some((word) => SUBJECTS.has(word))) return null;
  const name = plain.slice(place + 1, named).filter((word) => word !== 'the' && !MARKS.has(word));
  const isOwn = ownWords(names);
  if (name.every(isOwn)) {
    const isTold = isFull || mark !== '' || named < at || (name.length > 0 && !/^(?:19|20)\d\d$/.test(version));
    return isTold ? { version, product: null } : null;
  }
  const isName = name.length <= NAME_WORDS && before.slice(place + 1, named).every((word) => /^[\p{Lu}@]/u.test(word));
  return isName && isFull ? { version, product: name.join(' ') } : null;
}

const MENTIONS =
  /^(?:as|at|because|before|after|by|from|if|in|instead|like|need|needs|on|please|requires?|see|since|this|these|to|unlike|until|use|using|we|when|while|with|you)\b/i;
const GOES_ON =
  /^,? (?:and|are|because|but|can|could|did|does|had|has|have|if|may|might|must|no longer|or|should|that|we|which|will|would|you|(?:is|was|were)(?! (?:available|here|live|now|out|released)\b))\b/;

// Whether a version only stands in a sentence about something else: "In 4.0, use stop() instead", "Version 3 is the last one".
// Behind the version of a heading in the syntax of the document stands what its author pleased.
export function mentionsVersion(words: string, version: string, isHeading: boolean): boolean {
  const at = words.indexOf(version);
  if (at === -1) return false;
  const after = words.slice(at + version.length);
  return (MENTIONS.test(words.slice(0, at)) && /[\p{L}\p{N}]/u.test(after)) || (!isHeading && GOES_ON.test(after));
}
