// What was typed as words and quoted phrases, and the index terms that each of them looks for.

import { foldText, stem, wordsOf } from './analysis.ts';
import { encodeToken, type Identifier, identifiersIn, seriesToken } from './exact-tokens.ts';

export type TypedTerm = { text: string; phrase: boolean };

const MAX_CHARACTERS = 200;
// Control characters also separate words: no engine can match them, and PostgreSQL refuses NUL outright.
const GAP = /[\s\u0000-\u001f\u007f-\u009f]+/;

// Words and quoted phrases of a feed query; every one must occur, the last plain word also as a prefix.
export function parseFeedQuery(q: string): { terms: TypedTerm[]; prefixLast: boolean } {
  const terms = typedTerms(cut(q));
  return { terms, prefixLast: terms.at(-1)?.phrase === false };
}

// Words and quoted phrases in the order in which they were typed.
export function typedTerms(text: string): TypedTerm[] {
  const parts = text.split('"');
  // Quotes pair from the left, so the last of an odd number has no partner and is read as text.
  if (parts.length % 2 === 0) parts.push(parts.splice(-2).join('"'));

  return parts.flatMap((part, index): TypedTerm[] => {
    const words = part.split(GAP).filter((word) => word !== '');
    if (index % 2 === 0) return words.map((text) => ({ text, phrase: false }));
    return words.length === 0 ? [] : [{ text: words.join(' '), phrase: true }];
  });
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const last = text.charCodeAt(MAX_CHARACTERS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_CHARACTERS - 1 : MAX_CHARACTERS);
}

// Words that are ignored in queries. Words that name things in this field (`all`, `not`, `new`) are not among them.
const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my of ' +
    'on or our so some than that the their them then there these they this those to was we were what when where which ' +
    'while who why will with would you your'
  ).split(' '),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

// The index terms of one word or phrase.

export type QueryTerm =
  // Words in a row, by their stems; often one.
  | { kind: 'phrase'; words: readonly string[] }
  // Any stem that begins with the stem of this word.
  | { kind: 'prefix'; word: string }
  // An exact token or scope term in its stored form.
  | { kind: 'exact'; term: string };

// Alternatives, of which one must match.
export type QueryGroup = readonly QueryTerm[];

const MIN_PREFIX = 3;
const HARD = /[@_.:#]|^--|^(?:cve|ghsa)-/;
const FEW_NUMBERS = /^\d+(?:\.\d+)?$/;
const BARE_INTEGER = /^v?(\d+)$/;
const STARTS_WITH_LETTER = /^\p{L}/u;

// The group of a quoted phrase; null when the phrase holds nothing that is indexed.
export function phraseGroup(text: string): QueryGroup | null {
  const words = wordsOf(foldText(text));
  return words.length === 0 ? null : [{ kind: 'phrase', words }];
}

// `plain`: one word; `number`: an integer that must stand by itself; `hard`: a name that means something only as a whole;
// `soft`: one that may also be written as its words in a row; `parts`: anything else of several words.
export type WordSort = 'plain' | 'number' | 'hard' | 'soft' | 'parts';

export interface WordReading {
  sort: WordSort;
  terms: QueryGroup;
  words: readonly string[];
  // The normal form of a name; null for other words.
  identifier: string | null;
  // The word itself when it may be unfinished, so that words that begin with it also match; else null.
  unfinished: string | null;
}

// Classifies a typed word; null when it holds nothing that is indexed.
export function readWord(text: string, unfinished: boolean): WordReading | null {
  const folded = foldText(text);
  const words = wordsOf(folded);
  const [word] = words;
  if (word === undefined) return null;
  const identifier = wholeIdentifier(folded, words.length);
  if (identifier) return readIdentifier(identifier, words);
  if (words.length > 1) {
    return { sort: 'parts', terms: [{ kind: 'phrase', words }], words, identifier: null, unfinished: null };
  }
  const more = unfinished && word.length >= MIN_PREFIX && STARTS_WITH_LETTER.test(word) && !BARE_INTEGER.test(word);
  return { sort: 'plain', terms: plainTerms(word), words, identifier: null, unfinished: more ? word : null };
}

// An integer as a word of the text and not as a part of a version. The index does not distinguish the two, so matches are
// checked against the text.
export function numberGroup(digits: string): WordReading {
  const terms = [phrase(digits), phrase(`v${digits}`)];
  return { sort: 'number', terms, words: [digits], identifier: null, unfinished: null };
}

// An integer as the beginning of a version.
export function seriesGroup(digits: string): WordReading {
  return { sort: 'plain', terms: [series(digits)], words: [digits], identifier: null, unfinished: null };
}

// Terms for everything that begins with a typed word, for an engine that searches prefixes itself.
export function prefixTerms(typed: string): QueryTerm[] {
  const carrier = prefixCarrier(typed);
  const prefix: QueryTerm[] = carrier === null ? [] : [{ kind: 'prefix', word: carrier }];
  return [...prefix, ...completions(typed).map(phrase)];
}

// The identifier that a typed word consists of; null when there is more in the word: `a.b(c.d)` is searched as a phrase.
function wholeIdentifier(folded: string, wordCount: number): Identifier | null {
  const [found] = identifiersIn(folded);
  return found && wordsOf(found.text).length === wordCount ? found : null;
}

function readIdentifier({ text, call }: Identifier, words: readonly string[]): WordReading {
  const hard = call || HARD.test(text);
  const terms: QueryTerm[] = [{ kind: 'exact', term: encodeToken(text) }];
  if (FEW_NUMBERS.test(text)) terms.push(series(text));
  if (!hard) terms.push({ kind: 'phrase', words });
  return { sort: hard ? 'hard' : 'soft', terms, words, identifier: text, unfinished: null };
}

function plainTerms(word: string): QueryTerm[] {
  const integer = BARE_INTEGER.exec(word)?.[1];
  if (integer !== undefined) return [phrase(word), series(integer)];
  return [word, ...relatedWords(word)].map(phrase);
}

function series(numbers: string): QueryTerm {
  return { kind: 'exact', term: encodeToken(seriesToken(numbers.split('.'))) };
}

function phrase(word: string): QueryTerm {
  return { kind: 'phrase', words: [word] };
}

// Further words that a typed word should find. A stem is not always the beginning of its words, so the index alone would
// miss them.

const SUFFIXES = (
  'ed er ers es ing ings ly ion ions ation ations ational ization izations ator ators ative ate ates ated ating able ably ' +
  'ability ible ibly ibility al ally ality alism ance ancy ancies ence ency encies ent ently ant antly ment ments ement ' +
  'ements ful fully fulness ness ous ously ousness ive ively iveness ivity ize izes ized izer izing ity ities ic ical ' +
  'ically icate ism logy logies'
).split(' ');
// Shorter stems are too often unrelated words: `within` would find every `with`.
const MIN_STEM = 5;
const CARRIERS = ['', 'e', 'ness'];

// Word families whose members the stemmer does not bring together: it reduces `added` to `ad`.
const FAMILIES = [
  ['add', 'added'],
  ['diff', 'diffed'],
] as const;

// Words that belong to this one though their stems differ: notes that "added" something are what `add` asks for.
function relatedWords(word: string): string[] {
  const own = stem(word);
  return FAMILIES.flatMap(([one, other]) => (own === stem(one) ? [other] : own === stem(other) ? [one] : []));
}

// A word whose stem is exactly the typed text, so that a prefix search for it looks for that text and not for what a
// stemmer leaves of it (`res` would become `re`); null when there is none.
function prefixCarrier(typed: string): string | null {
  return CARRIERS.map((ending) => typed + ending).find((word) => stem(word) === typed) ?? null;
}

// Words that begin with the typed text though their stems do not: `configurat` stands inside `configuration`, which
// the index knows as `configur`. One word for each stem.
function completions(typed: string): string[] {
  const byStem = new Map<string, string>();
  for (const suffix of SUFFIXES) {
    for (let shared = leastShared(suffix); shared < suffix.length; shared += 1) {
      if (!typed.endsWith(suffix.slice(0, shared))) continue;
      const word = typed + suffix.slice(shared);
      const found = stem(word);
      if (found.length >= MIN_STEM && !found.startsWith(typed) && !byStem.has(found)) byStem.set(found, word);
    }
  }
  byStem.delete(stem(typed));
  return [...byStem.values()];
}

// How many letters of a suffix must be typed. One letter is a weak sign and is accepted only for the vowels that begin the
// most common suffixes.
function leastShared(suffix: string): number {
  return suffix.startsWith('a') || suffix.startsWith('i') ? 1 : 2;
}
