// Parses what was typed into the search: groups of terms that must all match, and the kind of query.
import { cutText } from '../clean-text.ts';
import { parseVersion } from '../versions/index.ts';
import { asksForPrereleases } from '../versions/prerelease.ts';
import { foldText, stem, wordsOf } from './analysis.ts';
import {
  isStopWord,
  numberGroup,
  phraseGroup,
  type QueryGroup,
  type QueryTerm,
  readWord,
  seriesGroup,
  type TypedTerm,
  typedTerms,
  type WordReading,
  type WordSort,
} from './query-terms.ts';

export interface SearchGroup {
  sort: WordSort | 'phrase';
  // The word or phrase as it was typed.
  typed: string;
  // Alternatives, of which one must match.
  terms: QueryGroup;
  // The terms of the second, looser pass, in which a name also matches as a phrase of its words.
  loose: QueryGroup;
  words: readonly string[];
  // The normal form of a name; null for other words.
  identifier: string | null;
  // The folded word when it may be unfinished, so that words that begin with it also match; else null.
  unfinished: string | null;
}

export interface SearchQuery {
  groups: readonly SearchGroup[];
  // One of the groups is a name that means something only as a whole.
  hardIdentifier: boolean;
  // The query names a pre-release version or a word such as `beta`.
  prerelease: boolean;
  // Stems, names in normal form and beginnings of words, which are marked in the shown text.
  stems: ReadonlySet<string>;
  identifiers: readonly string[];
  prefixes: readonly string[];
  // The one bare integer among the words.
  number: BareNumber | null;
}

// A number, a version or the id of a vulnerability is asked for itself: what does not hold it is no answer.
export function mustOccur({ sort, identifier }: Pick<SearchGroup, 'sort' | 'identifier'>): boolean {
  return sort === 'number' || (sort === 'hard' && /^(?:[@#~]?v?\d|cve-|ghsa-)/i.test(identifier ?? ''));
}

const MAX_CHARACTERS = 500;
const MAX_TERMS = 16;
const LETTER = /\p{L}/u;
const UNFINISHED = /[\p{L}\p{N}]$/u;
export function describeQuery(q: string): SearchQuery {
  const text = cutText(cutText(q, MAX_CHARACTERS).normalize('NFKC'), MAX_CHARACTERS);
  const typed = typedTerms(text).slice(0, MAX_TERMS);
  const numbers = bareNumbersIn(typed);
  const markers = new Set(numbers.map(({ marker }) => marker));
  const others = typed.length - numbers.filter(({ marker }) => marker !== null).length;
  const groups = typed.flatMap(({ text: word, phrase }, at): SearchGroup[] => {
    if (markers.has(at)) return [];
    const unfinished = at === typed.length - 1 && UNFINISHED.test(text);
    // Beside other words a number is no version of its own: `drop node 16` is about the text of a note.
    const number = numbers.find((one) => one.at === at && !one.versioned);
    const reading = number && others > 1 ? numberGroup(number.digits) : null;
    const group = phrase ? quoted(word) : ofWord(word, reading ?? readWord(word, unfinished));
    return group === null ? [] : [group];
  });
  const significant = groups.filter(({ sort, words }) => sort !== 'plain' || !isStopWord(words[0] ?? ''));
  return queryOf(distinct(significant.length === 0 ? groups : significant), bareNumberOf(typed));
}

// The same query with its number read as a version of what is named beside it.
export function asVersionOf({ number }: SearchQuery & { number: BareNumber }): SearchQuery {
  const group = ofWord(number.digits, seriesGroup(number.digits));
  return queryOf(group ? [group] : [], number);
}

// The same query as one phrase: the number right behind what is named, as notes write it (`React 19`, `Node.js v18`).
export function asNumberBehind({ number }: SearchQuery & { number: BareNumber }): SearchQuery {
  const words = wordsOf(foldText(number.rest));
  if (words.length === 0) return queryOf([], number);
  const behind = [[number.digits], [`v${number.digits}`], ['js', number.digits], ['js', `v${number.digits}`]];
  const terms: QueryTerm[] = behind.map((digits) => ({ kind: 'phrase', words: [...words, ...digits] }));
  const typed = `${number.rest} ${number.digits}`;
  const group = { terms, loose: terms, words: [...words, number.digits], identifier: null, unfinished: null };
  return queryOf([{ sort: 'phrase', typed, ...group }], number);
}

function queryOf(searched: readonly SearchGroup[], number: BareNumber | null): SearchQuery {
  return {
    groups: searched,
    number,
    hardIdentifier: searched.some(({ sort }) => sort === 'hard'),
    prerelease: searched.some(asksForPrerelease),
    stems: new Set(searched.flatMap(({ words, terms }) => [...words, ...wordsIn(terms)].map(stem))),
    identifiers: searched.flatMap(({ identifier }) => identifier ?? []),
    prefixes: searched.flatMap(({ unfinished }) => unfinished ?? []),
  };
}

function quoted(text: string): SearchGroup | null {
  const terms = phraseGroup(text);
  const words = terms === null ? [] : wordsIn(terms);
  return terms && { sort: 'phrase', typed: text, terms, loose: terms, words, identifier: null, unfinished: null };
}

function ofWord(typed: string, reading: WordReading | null): SearchGroup | null {
  if (reading === null) return null;
  const { sort, terms, words } = reading;
  // Digits alone do not count: the numbers of one version are contained in many others.
  const named = sort === 'hard' && words.some((word) => LETTER.test(word));
  const parts: QueryTerm[] = named ? [{ kind: 'phrase', words }] : [];
  return { ...reading, typed, loose: [...terms, ...parts] };
}

function asksForPrerelease({ words, identifier }: SearchGroup): boolean {
  if (identifier === null) return words.some((word) => asksForPrereleases(word));
  const version = parseVersion(identifier);
  return version !== null && version.numbers.length > 0 && version.prerelease === 'certain';
}

function wordsIn(terms: QueryGroup): string[] {
  return terms.flatMap((term) => (term.kind === 'phrase' ? term.words : []));
}

// Removes repeated words, which would count twice.
function distinct(groups: readonly SearchGroup[]): SearchGroup[] {
  const byTerms = new Map<string, SearchGroup>();
  for (const group of groups) byTerms.set(JSON.stringify(group.terms), group);
  return [...byTerms.values()];
}

// Bare integers in a query (`19`), which may mean the version of what is named beside them, any version, or a plain word.

export interface BareNumber {
  digits: string;
  // Written as `v19`, `v 19` or `version 19`, which always means a version.
  versioned: boolean;
  // The rest of the query.
  rest: string;
}

const INTEGER = /^(v?)(\d{1,9})$/;
const MARKERS = new Set(['v', 'version']);

interface TypedNumber {
  digits: string;
  versioned: boolean;
  // The position among the typed terms, and that of the word that marks it as a version.
  at: number;
  marker: number | null;
}

// The bare integers among the typed terms.
function bareNumbersIn(typed: readonly TypedTerm[]): TypedNumber[] {
  return typed.flatMap((term, at) => {
    const found = integerOf(term);
    if (!found) return [];
    const before = typed[at - 1];
    const marker = before && !before.phrase && MARKERS.has(plainOf(before)) ? at - 1 : null;
    return [{ digits: found.digits, versioned: found.glued || marker !== null, at, marker }];
  });
}

// The only number of a query and the rest of it; null when there is none or more than one.
export function bareNumberOf(typed: readonly TypedTerm[]): BareNumber | null {
  const [number, ...others] = bareNumbersIn(typed);
  if (!number || others.length > 0) return null;
  const { digits, versioned, at, marker } = number;
  const rest = typed.filter((_, index) => index !== at && index !== marker);
  return { digits, versioned, rest: rest.map(({ text }) => text).join(' ') };
}

// How often a number stands by itself in folded text, not as a part of a version, a date or a reference.
export function countNumber(folded: string, digits: string): number {
  let count = 0;
  for (let at = folded.indexOf(digits); at !== -1; at = folded.indexOf(digits, at + 1)) {
    if (standsAlone(folded, at, at + digits.length)) count += 1;
  }
  return count;
}

const V_ALONE = /(?<![\p{L}\p{N}#_.])v$/u;
const GLUED = /[\p{L}\p{N}#_]$/u;
const OF_VERSION = /\d\.$/;
const OF_DATE = /\d{4}-(?:\d\d-)?$/;
const GLUED_BEHIND = /^[\p{L}\p{N}_]/u;
const VERSION_BEHIND = /^\.\d/;
const DATE_BEHIND = /^-\d\d(?:-\d|\b)/;

function standsAlone(text: string, start: number, end: number): boolean {
  // `v9` is the number 9 too.
  const before = text.slice(Math.max(0, start - 8), start).replace(V_ALONE, '');
  const behind = text.slice(end, end + 8);
  if (GLUED.test(before) || OF_VERSION.test(before) || OF_DATE.test(before)) return false;
  if (GLUED_BEHIND.test(behind) || VERSION_BEHIND.test(behind)) return false;
  return !(end - start === 4 && DATE_BEHIND.test(behind));
}

function integerOf(term: TypedTerm): { digits: string; glued: boolean } | null {
  const match = term.phrase ? null : INTEGER.exec(plainOf(term));
  return match?.[2] ? { digits: match[2], glued: match[1] !== '' } : null;
}

// The term without a trailing mark: `19,` is the word 19, but `#19` is a reference.
function plainOf({ text }: TypedTerm): string {
  const folded = foldText(text);
  const words = wordsOf(folded);
  return words.length === 1 && !/^[#@-]/.test(folded) ? (words[0] ?? '') : '';
}
