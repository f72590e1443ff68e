// Names as they are compared: folded words with single blanks between them.

import { cutText } from '../clean-text.ts';
import { foldText, wordsOf } from '../search-text/fold.ts';

// Longer names are found by their beginning.
const MAX_LENGTH = 100;
const MAX_SUFFIXES = 16;

const CASE_CHANGE = /(?<=\p{Ll})(?=\p{Lu})/gu;

export function normalName(text: string): string {
  return cutText(wordsOf(foldText(text)).join(' '), MAX_LENGTH).trimEnd();
}

// The name without blanks, so that `Open AI`, `open-ai` and `OpenAI` are the same.
export function joinedName(normal: string): string {
  return normal.replaceAll(' ', '');
}

// The name behind its first letter and length: names that share both are neighbours in the index, where misspelled names
// are looked for.
export function sizedName(joined: string): string {
  const [first] = joined;
  return first === undefined ? '' : sizedPrefix(first, [...joined].length) + joined;
}

export function sizedPrefix(first: string, letters: number): string {
  return `${first} ${letters} `;
}

// The name from each word start and each change from lower to upper case: `OpenAI` → `openai`, `ai`.
export function nameSuffixes(text: string): string[] {
  const normal = normalName(text);
  const starts = startsIn(normalName(text.replace(CASE_CHANGE, ' ')));
  const suffixes: string[] = [];
  let letters = 0;
  for (let at = 0; at < normal.length && suffixes.length < MAX_SUFFIXES; at += 1) {
    if (normal[at] === ' ') continue;
    if (at === 0 || normal[at - 1] === ' ' || starts.has(letters)) suffixes.push(normal.slice(at));
    letters += 1;
  }
  return suffixes;
}

// Where words begin, counted in letters without blanks, because splitting at case changes adds blanks.
function startsIn(parted: string): Set<number> {
  const starts = new Set<number>();
  let letters = 0;
  for (const word of parted.split(' ')) {
    starts.add(letters);
    letters += word.length;
  }
  return starts;
}
