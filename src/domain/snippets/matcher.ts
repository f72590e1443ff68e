// Finds the terms of a query in a text by the rules of the index: stems, phrases, prefixes and exact identifiers.
import { encodeToken, seriesToken } from '../search-text/exact-tokens.ts';
import { foldText, wordsOf } from '../search-text/fold.ts';
import { identifiersIn } from '../search-text/identifiers.ts';
import type { QueryGroup } from '../search-text/query-terms.ts';
import { stem } from '../search-text/stem.ts';

// `group` is the index of the query group that matched.
export interface TextMatch {
  start: number;
  end: number;
  group: number;
}

export type Matcher = (text: string) => TextMatch[];

const MAX_MATCHES = 2000;
const MAX_RUN_LENGTH = 200;

const NON_ASCII = /[^\x00-\x7f]/;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const ASCII_WORD = /[a-z0-9]+/gi;
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
  // The first letters of all terms, which rule out most words cheaply.
  letters: Set<string>;
}

export function createMatcher(groups: readonly QueryGroup[]): Matcher {
  const wanted = searchedTerms(groups);
  const hasWords = wanted.phrases.size + wanted.prefixes.length > 0;
  return (text) => {
    const matches = hasWords ? matchWords(text, wanted) : [];
    if (wanted.exact.size > 0) matches.push(...matchIdentifiers(text, wanted.exact));
    return matches.sort((a, b) => a.start - b.start || b.end - a.end).slice(0, MAX_MATCHES);
  };
}

function searchedTerms(groups: readonly QueryGroup[]): SearchedTerms {
  const wanted: SearchedTerms = { phrases: new Map(), prefixes: [], exact: new Map(), letters: new Set() };
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
  return wanted;
}

interface TextWord {
  start: number;
  end: number;
  // Null when no term begins with the first letter of the word.
  stem: string | null;
}

function matchWords(text: string, wanted: SearchedTerms): TextMatch[] {
  const matches: TextMatch[] = [];
  const words = readWords(text, wanted.letters);
  for (const [at, word] of words.entries()) {
    if (word.stem === null) continue;
    for (const { stems, group } of wanted.phrases.get(word.stem) ?? []) {
      const last = words[at + stems.length - 1];
      if (last && stems.every((one, index) => words[at + index]?.stem === one)) {
        matches.push({ start: word.start, end: last.end, group });
      }
    }
    for (const { prefix, group } of wanted.prefixes) {
      if (word.stem.startsWith(prefix)) matches.push({ start: word.start, end: word.end, group });
    }
    if (matches.length >= MAX_MATCHES) break;
  }
  return matches;
}

function readWords(text: string, letters: ReadonlySet<string>): TextWord[] {
  const words: TextWord[] = [];
  for (const { 0: word, index } of text.matchAll(NON_ASCII.test(text) ? WORD : ASCII_WORD)) {
    words.push({ start: index, end: index + word.length, stem: stemOf(word, letters) });
  }
  return words;
}

// Null for a word that no term can match. Most words are ruled out by their first letter, before they are folded.
function stemOf(word: string, letters: ReadonlySet<string>): string | null {
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
