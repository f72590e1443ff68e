// The only list of pre-release words, for versions, titles, headings and queries.

// Words that mean a pre-release next to a version, even when a space separates them.
export const PLAIN_PRERELEASE_WORDS: readonly string[] =
  'alpha beta rc prerelease preview pre milestone snapshot nightly canary eap'.split(' ');

// Words that mean a pre-release in a query, but begin ordinary phrases behind a version in prose.
const CLEAR_WORDS = 'experimental insider insiders'.split(' ');

// Words that mean a pre-release only inside of a version text.
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
