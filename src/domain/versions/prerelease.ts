// The words that tell of a pre-release, in versions, titles, headings and questions: the only list of them.

// Written beside a version, behind a space too, these mean a pre-release and nothing else.
export const PLAIN_PRERELEASE_WORDS: readonly string[] =
  'alpha beta rc prerelease preview pre milestone snapshot nightly canary eap'.split(' ');

// Clear in a question, but behind a version in prose these begin ordinary phrases.
const CLEAR_WORDS = 'experimental insider insiders'.split(' ');

// These mean one inside of a version text; elsewhere they are ordinary words.
const INSIDE_VERSIONS =
  'dev edge exp unstable test testing ci wip draft tip continuous ea early access tp next cr'.split(' ');

const ALL = new Set([...PLAIN_PRERELEASE_WORDS, ...CLEAR_WORDS, ...INSIDE_VERSIONS]);
const CLEAR = new Set([...PLAIN_PRERELEASE_WORDS, ...CLEAR_WORDS]);

const LETTERS = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['c', 'rc'],
  ['m', 'milestone'],
]);

// Whether a lower-case word of a version text makes it a pre-release.
export function isPrereleaseWord(word: string): boolean {
  return ALL.has(word);
}

// Whether a lower-case word of a question asks for pre-releases.
export function asksForPrereleases(word: string): boolean {
  return CLEAR.has(word);
}

// The full word behind `a`, `b`, `c` or `m`, which count only before a number.
export function prereleaseWordOf(letter: string): string | null {
  return LETTERS.get(letter) ?? null;
}
