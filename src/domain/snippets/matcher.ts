// Finds the terms of a query in a text by the rules of the index: stems, phrases, prefixes and exact identifiers.

import { foldText, stem, wordsOf } from '../search-text/analysis.ts';
import { encodeToken, identifiersIn, seriesToken } from '../search-text/exact-tokens.ts';
import type { QueryGroup } from '../search-text/query-terms.ts';

// `group` is the index of the query group that matched.
export interface TextMatch {
  start: number;
  end: number;
  group: number;
}

export type Matcher = (text: string) => TextMatch[];

const MAX_MATCHES = 2000;
const MAX_RUN_LENGTH = 200;

const WORD = /[\p{L}\p{N}\p{M}]/u;
// Stems that a matcher remembers; the words of notes repeat.
const MAX_STEMS = 5000;
// A run of characters that may be an identifier, and the punctuation around it.
const RUN = /\S+/g;
const IDENTIFIER_PUNCTUATION = /[._/:@#()-]/;
const LEADING = /^(?:[^\p{L}\p{N}@#-]|-(?!-))+/u;
const TRAILING = /[^\p{L}\p{N}]+$/u;
const NUMBERS = /^v?(\d+)(?:\.(\d+))?(?![\p{L}\p{N}])/u;

interface SearchedPhrase {
  stems: readonly string[];
  group: number;
}

interface SearchedTerms {
  // Phrases by their first stem.
  phrases: Map<string, SearchedPhrase[]>;
  prefixes: { prefix: string; group: number }[];
  exact: Map<string, number>;
  // The first letters of all terms, which rule out most words cheaply, and whether an ASCII character is one of them.
  letters: Set<string>;
  isFirst: readonly boolean[];
}

export function createMatcher(groups: readonly QueryGroup[]): Matcher {
  const wanted = searchedTerms(groups);
  const hasWords = wanted.phrases.size + wanted.prefixes.length > 0;
  const stems = new Map<string, string | null>();
  const stemOf = (word: string) => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    const found = stemAmong(word, wanted.letters);
    if (stems.size < MAX_STEMS) stems.set(word, found);
    return found;
  };
  return (text) => {
    const matches = hasWords ? matchWords(text, wanted, stemOf) : [];
    if (wanted.exact.size > 0) matches.push(...matchIdentifiers(text, wanted.exact));
    return matches.sort((a, b) => a.start - b.start || b.end - a.end).slice(0, MAX_MATCHES);
  };
}

function searchedTerms(groups: readonly QueryGroup[]): SearchedTerms {
  const wanted = {
    phrases: new Map<string, SearchedPhrase[]>(),
    prefixes: [] as SearchedTerms['prefixes'],
    exact: new Map<string, number>(),
    letters: new Set<string>(),
  };
  for (const [group, terms] of groups.entries()) {
    for (const term of terms) {
      if (term.kind === 'exact') wanted.exact.set(term.term, group);
      else if (term.kind === 'prefix') {
        wanted.prefixes.push({ prefix: stem(term.word), group });
        wanted.letters.add(firstLetter(term.word));
      } else {
        const stems = term.words.map(stem);
        const [first] = stems;
        if (first === undefined) continue;
        wanted.phrases.set(first, [...(wanted.phrases.get(first) ?? []), { stems, group }]);
        for (const word of term.words) wanted.letters.add(firstLetter(word));
      }
    }
  }
  const isLetter = (_: unknown, code: number) => wanted.letters.has(String.fromCharCode(code).toLowerCase());
  return { ...wanted, isFirst: Array.from({ length: 128 }, isLetter) };
}

// A word that a term may match, and its place among all words.
interface TextWord {
  start: number;
  end: number;
  place: number;
  stem: string;
}

type StemOf = (word: string) => string | null;

function matchWords(text: string, wanted: SearchedTerms, stemOf: StemOf): TextMatch[] {
  const matches: TextMatch[] = [];
  const words = readWords(text, wanted, stemOf);
  for (const [at, word] of words.entries()) {
    for (const { stems, group } of wanted.phrases.get(word.stem) ?? []) {
      const last = words[at + stems.length - 1];
      const isNext = (one: string, index: number) => {
        const next = words[at + index];
        return next?.stem === one && next.place === word.place + index;
      };
      if (last && stems.every(isNext)) matches.push({ start: word.start, end: last.end, group });
    }
    for (const { prefix, group } of wanted.prefixes) {
      if (word.stem.startsWith(prefix)) matches.push({ start: word.start, end: word.end, group });
    }
    if (matches.length >= MAX_MATCHES) break;
  }
  return matches;
}

// Most words are ruled out by their first letter, before they are cut out.
function readWords(text: string, { isFirst }: SearchedTerms, stemOf: StemOf): TextWord[] {
  const words: TextWord[] = [];
  let place = 0;
  for (let at = 0; at < text.length; ) {
    const start = at;
    at = wordEnd(text, start);
    if (at === start) {
      at += 1;
      continue;
    }
    const stem = (isFirst[text.charCodeAt(start)] ?? true) ? stemOf(text.slice(start, at)) : null;
    if (stem !== null) words.push({ start, end: at, place, stem });
    place += 1;
  }
  return words;
}

const ASCII_IN_WORDS = Uint8Array.from({ length: 128 }, (_, code) => Number(WORD.test(String.fromCharCode(code))));

// Where the word that begins here ends; here when none does.
function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      if (ASCII_IN_WORDS[code] === 0) return at;
      at += 1;
    } else {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      if (!WORD.test(character)) return at;
      at += character.length;
    }
  }
  return at;
}

// Null for a word that no term can match. Most words are ruled out by their first letter, before they are folded.
function stemAmong(word: string, letters: ReadonlySet<string>): string | null {
  if (word.charCodeAt(0) < 0x80 && !letters.has(word.charAt(0).toLowerCase())) return null;
  const [folded] = wordsOf(foldText(word));
  return folded !== undefined && letters.has(firstLetter(folded)) ? stem(folded) : null;
}

function matchIdentifiers(text: string, exact: ReadonlyMap<string, number>): TextMatch[] {
  const matches: TextMatch[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (run.length > MAX_RUN_LENGTH || !IDENTIFIER_PUNCTUATION.test(run)) continue;
    if (matches.length >= MAX_MATCHES) break;
    const group = groupOf(run, exact);
    if (group === undefined) continue;
    const from = LEADING.exec(run)?.[0].length ?? 0;
    const core = run.slice(from).replace(TRAILING, '');
    if (core !== '') matches.push({ start: index + from, end: index + from + core.length, group });
  }
  return matches;
}

function groupOf(run: string, exact: ReadonlyMap<string, number>): number | undefined {
  for (const { text } of identifiersIn(foldText(run))) {
    for (const token of namesIn(text)) {
      const group = exact.get(encodeToken(token));
      if (group !== undefined) return group;
    }
  }
  return undefined;
}

// The identifier itself, the two parts of `name@version`, and the series that a version belongs to.
function namesIn(identifier: string): string[] {
  const at = identifier.lastIndexOf('@');
  const parts = at > 0 ? [identifier.slice(0, at), identifier.slice(at + 1)] : [];
  const names = [identifier, ...parts];
  for (const name of [...names]) {
    const [, first, second] = NUMBERS.exec(name) ?? [];
    if (first !== undefined) names.push(seriesToken([first]));
    if (first !== undefined && second !== undefined) names.push(seriesToken([first, second]));
  }
  return names;
}

function firstLetter(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 0);
}
