// Parses what was typed into the search: groups of terms that must all match, and the kind of query.

import { cutText } from '../clean-text.ts';
import { parseVersion } from '../versions/index.ts';
import { asksForPrereleases } from '../versions/prerelease.ts';
import { type BareNumber, bareNumberOf, bareNumbersIn } from './bare-number.ts';
import { foldText, wordsOf } from './fold.ts';
import {
  numberGroup,
  phraseGroup,
  type QueryGroup,
  type QueryTerm,
  readWord,
  seriesGroup,
  type WordReading,
  type WordSort,
} from './query-terms.ts';
import { typedTerms } from './query-words.ts';
import { stem } from './stem.ts';
import { isStopWord } from './stop-words.ts';

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
