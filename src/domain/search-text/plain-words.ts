import { foldText, wordsOf } from './analysis.ts';

const LETTER_FIRST = /^\p{L}/u;
const DIGIT = /\p{N}/u;
const MIN_LENGTH = 3;
const MAX_LENGTH = 32;
// Longer words with digits are hashes and generated names, which nobody types a prefix of.
const MAX_WITH_DIGITS = 7;

// The distinct words of a text that a typed prefix may complete to.
export function plainWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const word of wordsOf(foldText(text))) if (isPlain(word)) words.add(word);
  return words;
}

function isPlain(word: string): boolean {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || !LETTER_FIRST.test(word)) return false;
  return word.length <= MAX_WITH_DIGITS || !DIGIT.test(word);
}
