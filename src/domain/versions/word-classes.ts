import { isPrereleaseWord } from './prerelease.ts';

// What a word after the numbers of a version says about it.
type WordClass = 'pre' | 'final' | 'post' | 'flavour' | 'unknown';

// `availability` is listed because it follows `general`: as an unknown word it would undo the class of `general`.
const FINAL_WORDS = 'final ga release stable lts general availability';
const POST_WORDS = 'post p pl patch sp sr hotfix rev r fix security update u';
const FLAVOUR_WORDS =
  'jre jdk android linux windows win win32 win64 macos darwin osx ios alpine slim debian ubuntu amd64 arm64 x64 x86 ' +
  'ce ee oss enterprise community cpu gpu cuda wasm musl gnu full lite';

const CLASSES = new Map<string, WordClass>([
  ...entries(FINAL_WORDS, 'final'),
  ...entries(POST_WORDS, 'post'),
  ...entries(FLAVOUR_WORDS, 'flavour'),
]);

// Branch-like texts that name no number and always mean the moving head of a project.
const MOVING_HEADS = new Set(['latest', 'main', 'master']);

// Words that stand before a version without naming a package.
const NEUTRAL_PREFIXES = new Set(['release', 'releases', 'rel', 'version', 'ver', 'stable', 'tag', 'v']);

// The class of one lower-case word.
export function classOfWord(word: string): WordClass {
  return isPrereleaseWord(word) ? 'pre' : (CLASSES.get(word) ?? 'unknown');
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
