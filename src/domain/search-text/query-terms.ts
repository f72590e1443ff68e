// What one word or phrase of a query asks of the index.
import { encodeToken } from './encode.ts';
import { seriesToken } from './exact-tokens.ts';
import { foldText, wordsOf } from './fold.ts';
import { type Identifier, identifiersIn } from './identifiers.ts';
import { completions, prefixCarrier, relatedWords } from './word-forms.ts';

export type QueryTerm =
  /** Words in a row, by their stems; often one. */
  | { kind: 'phrase'; words: readonly string[] }
  /** Any stem that begins with the stem of this word. */
  | { kind: 'prefix'; word: string }
  /** An exact token or scope term in its stored form. */
  | { kind: 'exact'; term: string };

/** Alternatives: one of them must match. */
export type QueryGroup = readonly QueryTerm[];

const MIN_PREFIX = 3;
const HARD = /[@_.:#]|^--|^(?:cve|ghsa)-/;
const FEW_NUMBERS = /^\d+(?:\.\d+)?$/;
const BARE_INTEGER = /^v?(\d+)$/;
const STARTS_WITH_LETTER = /^\p{L}/u;

/** A quoted part; null when nothing in it can be looked for. */
export function phraseGroup(text: string): QueryGroup | null {
  const words = wordsOf(foldText(text));
  return words.length === 0 ? null : [{ kind: 'phrase', words }];
}

/** A word as typed; `prefix` when it may be unfinished. Null when nothing in it can be looked for. */
export function wordGroup(text: string, prefix: boolean): QueryGroup | null {
  const folded = foldText(text);
  const words = wordsOf(folded);
  const [word] = words;
  if (word === undefined) return null;
  const identifier = wholeIdentifier(folded, words.length);
  if (identifier) return identifierGroup(identifier, words);
  return words.length === 1 ? plainGroup(word, prefix) : [{ kind: 'phrase', words }];
}

// Only an identifier that is all of the typed word counts as one; `a.b(c.d)` is looked for as words in a row.
function wholeIdentifier(folded: string, wordCount: number): Identifier | null {
  const [found] = identifiersIn(folded);
  return found && wordsOf(found.text).length === wordCount ? found : null;
}

function identifierGroup({ text, call }: Identifier, words: readonly string[]): QueryGroup {
  const group: QueryTerm[] = [{ kind: 'exact', term: encodeToken(text) }];
  if (FEW_NUMBERS.test(text)) group.push(series(text));
  if (!call && !HARD.test(text)) group.push({ kind: 'phrase', words });
  return group;
}

function plainGroup(word: string, prefix: boolean): QueryGroup {
  const integer = BARE_INTEGER.exec(word)?.[1];
  if (integer !== undefined) return [phrase(word), series(integer)];
  const group = [word, ...relatedWords(word)].map(phrase);
  if (!prefix || word.length < MIN_PREFIX || !STARTS_WITH_LETTER.test(word)) return group;
  const carrier = prefixCarrier(word);
  if (carrier !== null) group.push({ kind: 'prefix', word: carrier });
  return [...group, ...completions(word).map(phrase)];
}

function series(numbers: string): QueryTerm {
  return { kind: 'exact', term: encodeToken(seriesToken(numbers.split('.'))) };
}

function phrase(word: string): QueryTerm {
  return { kind: 'phrase', words: [word] };
}
