// The phrases that are evidence of breaking changes, of smaller changes or of doubt, each kind in a file of its own.
import { BEHAVIOUR } from './behaviour.ts';
import { COMPATIBILITY } from './compatibility.ts';
import { DEFAULTS } from './defaults.ts';
import { DOUBTFUL } from './doubtful.ts';
import type { Phrase } from './phrase.ts';
import { REMOVAL } from './removal.ts';
import { REQUIREMENT } from './requirement.ts';
import { SOFTER } from './softer.ts';

export type { Phrase } from './phrase.ts';

// In the order of their weight: users have to act, users may want to look, no rule can tell.
const PHRASES: readonly Phrase[] = [
  ...COMPATIBILITY,
  ...REMOVAL,
  ...REQUIREMENT,
  ...BEHAVIOUR,
  ...DEFAULTS,
  ...SOFTER,
  ...DOUBTFUL,
];

const STEM = 4;
const NONE: readonly Phrase[] = [];
const RULES_OF_CUE = new Map<number, Phrase[]>();
// The first two letters of all cues, which rule out most words cheaply.
const OPENINGS = new Uint8Array(27 * 27);
const RULES_OF_SIGNS = PHRASES.filter(({ keys }) => keys.includes('>='));
for (const rule of PHRASES) {
  for (const cue of new Set(rule.keys.map(cueOf))) RULES_OF_CUE.set(cue, [...(RULES_OF_CUE.get(cue) ?? []), rule]);
  for (const key of rule.keys) OPENINGS[openingAt(longestWord(key), 0)] = 1;
}

// Phrases are found by the first letters of the longest word of each key, so that most sentences try none of them.
function cueOf(key: string): number {
  return cueAt(longestWord(key), 0);
}

function longestWord(key: string): string {
  const [longest = ''] = key.split(' ').sort((a, b) => b.length - a.length);
  return longest;
}

function openingAt(text: string, start: number): number {
  return letterAt(text, start) * 27 + letterAt(text, start + 1);
}

// 1 to 26 for a to z, 0 for any other character.
function letterAt(text: string, at: number): number {
  const letter = text.charCodeAt(at) - 96;
  return letter >= 1 && letter <= 26 ? letter : 0;
}

// The first letters of the word that begins here. They are a number and no string, because this runs for every word of
// every note.
function cueAt(text: string, start: number): number {
  let cue = 0;
  for (let at = start; at < start + STEM; at += 1) {
    const letter = letterAt(text, at);
    if (letter === 0) break;
    cue = cue * 27 + letter;
  }
  return cue;
}

// The phrases that may match a sentence in lower case.
export function phrasesWorthTrying(sentence: string): readonly Phrase[] {
  let found: Phrase[] | null = null;
  let inWord = false;
  for (let at = 0; at < sentence.length; at += 1) {
    const code = sentence.charCodeAt(at);
    const begins = !inWord;
    inWord = code >= 97 && code <= 122;
    if (!inWord || !begins || OPENINGS[openingAt(sentence, at)] === 0) continue;
    const rules = RULES_OF_CUE.get(cueAt(sentence, at));
    if (!rules) continue;
    found ??= [];
    for (const rule of rules) if (!found.includes(rule)) found.push(rule);
  }
  if (!sentence.includes('>=') && !sentence.includes('≥')) return found ?? NONE;
  return [...new Set([...(found ?? NONE), ...RULES_OF_SIGNS])];
}
