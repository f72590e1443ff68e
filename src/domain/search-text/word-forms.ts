// Further words that a typed word should find. A stem is not always the beginning of its words, so the index alone would
// miss them.
import { stem } from './stem.ts';

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
export function relatedWords(word: string): string[] {
  const own = stem(word);
  return FAMILIES.flatMap(([one, other]) => (own === stem(one) ? [other] : own === stem(other) ? [one] : []));
}

// A word whose stem is exactly the typed text, so that a prefix search for it looks for that text and not for what a
// stemmer leaves of it (`res` would become `re`); null when there is none.
export function prefixCarrier(typed: string): string | null {
  return CARRIERS.map((ending) => typed + ending).find((word) => stem(word) === typed) ?? null;
}

// Words that begin with the typed text though their stems do not: `configurat` stands inside `configuration`, which
// the index knows as `configur`. One word for each stem.
export function completions(typed: string): string[] {
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
