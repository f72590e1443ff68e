// How often words occur in a text, by their stems. Candidates are found by the letters that every form of a word begins
// with, so that a long text costs one fast scan and only a few words of it are stemmed.
import { stem } from './stem.ts';

const WORD_BEYOND_ASCII = /^[\p{L}\p{N}]/u;
// Endings of stems whose last letter the stemmer may have changed: `proxy` becomes `proxi`, `possibility` `possibl`.
const CHANGED_ENDING = /.[eil]$/;

// The letters with which every word of a stem begins.
export function beginningOf(stemmed: string): string {
  return CHANGED_ENDING.test(stemmed) ? stemmed.slice(0, -1) : stemmed;
}

// Counts how often words of these stems stand in a row in folded text.
export function phraseCounter(stems: readonly string[]): (folded: string) => number {
  const [first, ...others] = stems;
  if (first === undefined) return () => 0;
  const beginning = beginningOf(first);
  return (folded) => countPhrase(folded, { beginning, first, others });
}

interface PhraseStems {
  // The letters with which every word of the first stem begins.
  beginning: string;
  first: string;
  others: readonly string[];
}

function countPhrase(folded: string, { beginning, first, others }: PhraseStems): number {
  let count = 0;
  for (let at = folded.indexOf(beginning); at !== -1; at = folded.indexOf(beginning, at + 1)) {
    if (at > 0 && isWordAt(folded, at - 1)) continue;
    let end = wordEnd(folded, at);
    if (stemOf(folded.slice(at, end)) !== first) continue;
    const whole = others.every((wanted) => {
      const start = nextWord(folded, end);
      end = wordEnd(folded, start);
      return stemOf(folded.slice(start, end)) === wanted;
    });
    if (whole) count += 1;
  }
  return count;
}

// How many words of folded text begin with these letters.
export function countBeginning(folded: string, beginning: string): number {
  let count = 0;
  for (let at = folded.indexOf(beginning); at !== -1; at = folded.indexOf(beginning, at + 1)) {
    if (at === 0 || !isWordAt(folded, at - 1)) count += 1;
  }
  return count;
}

function nextWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isWordAt(text, at)) at += 1;
  return at;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWordAt(text, at)) at += 1;
  return at;
}

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  // The second half of a surrogate pair has the class of the whole character.
  const from = code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
  return WORD_BEYOND_ASCII.test(text.slice(from, from + 2));
}

const STEMS = new Map<string, string>();
const KNOWN_STEMS = 20_000;
const LONG_WORD = 40;

function stemOf(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  const found = stem(word);
  if (STEMS.size >= KNOWN_STEMS) STEMS.clear();
  if (word.length <= LONG_WORD) STEMS.set(word, found);
  return found;
}
