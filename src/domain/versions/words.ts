/** What a word after the numbers of a version says about it. */
type WordClass = 'pre' | 'final' | 'post' | 'flavour' | 'unknown';

const PRE_WORDS =
  'dev nightly snapshot canary edge experimental exp insider insiders unstable test testing ci wip draft tip ' +
  'continuous alpha beta milestone eap ea early access tp next preview pre prerelease rc cr';
// `availability` only ever follows `general`; alone in the unknown class it would undo what `general` says.
const FINAL_WORDS = 'final ga release stable lts general availability';
const POST_WORDS = 'post p pl patch sp sr hotfix rev r fix security update u';
const FLAVOUR_WORDS =
  'jre jdk android linux windows win win32 win64 macos darwin osx ios alpine slim debian ubuntu amd64 arm64 x64 x86 ' +
  'ce ee oss enterprise community cpu gpu cuda wasm musl gnu full lite';

const CLASSES = new Map<string, WordClass>([
  ...entries(PRE_WORDS, 'pre'),
  ...entries(FINAL_WORDS, 'final'),
  ...entries(POST_WORDS, 'post'),
  ...entries(FLAVOUR_WORDS, 'flavour'),
]);

const SHORT_PRE_WORDS = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['c', 'rc'],
  ['m', 'milestone'],
]);

/** Branch-like texts that name no number and always mean the moving head of a project. */
const MOVING_HEADS = new Set(['latest', 'main', 'master']);

/** Words that stand before a version without naming a package. */
const NEUTRAL_PREFIXES = new Set(['release', 'releases', 'rel', 'version', 'ver', 'stable', 'tag', 'v']);

/** The class of one lower-case word. */
export function classOfWord(word: string): WordClass {
  return CLASSES.get(word) ?? 'unknown';
}

/** The full word behind `a`, `b`, `c` or `m`, which count only before a number. */
export function longPreWord(letter: string): string | null {
  return SHORT_PRE_WORDS.get(letter) ?? null;
}

export function isMovingHead(word: string): boolean {
  return MOVING_HEADS.has(word);
}

export function isNeutralPrefix(word: string): boolean {
  return NEUTRAL_PREFIXES.has(word);
}

function entries(words: string, wordClass: WordClass): [string, WordClass][] {
  return words.split(' ').map((word) => [word, wordClass]);
}
