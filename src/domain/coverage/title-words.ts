// Significant words of titles, and how similar two titles are.
const STOP = wordSet(`
  a an and are as at be but by can for from has have how in into is it its more not of on or our out so than that the
  their them then there these they this to up us was we were what when where which who will with you your via
`);
// Words of announcements in general.
const LAUNCH = wordSet(`
  announce announced announces announcing available beta bug bugs changelog changes fix fixed fixes ga here improved
  improvement improvements introduce introduced introduces introducing launch launched launches launching latest meet
  minor new news notes now patch performance release released releases stability today update updated updates various
  version welcome
`);
const VERSION = /^v?\d+(?:\.\d+)+(?:[-+][\w.-]+)?$|^v\d+$/;
const MAX_TITLE = 500;

export interface TitleContext {
  // Names of org, products and sources. They are removed as whole names, so that common words in them stay significant
  // elsewhere.
  names: readonly string[];
  // The versions of both releases, in any spelling.
  versions: readonly string[];
}

// The words of a title in lower case and in order, without versions, names, stop words and launch words.
export function significantWords(title: string, { names, versions }: TitleContext): string[] {
  const own = new Set(versions.map((version) => version.toLowerCase().replace(/^v(?=\d)/, '')));
  const text = title
    .slice(0, MAX_TITLE)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => !isVersion(word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''), own))
    .join(' ');
  const words = withoutNames(wordsOf(text), names);
  return words.filter((word) => !STOP.has(word) && !LAUNCH.has(word));
}

// The Jaccard index of the sets of words and of pairs of neighbouring words.
export function titleScore(a: readonly string[], b: readonly string[]): number {
  const first = wordsAndPairs(a);
  const second = wordsAndPairs(b);
  const shared = first.intersection(second).size;
  const all = first.size + second.size - shared;
  return all === 0 ? 0 : shared / all;
}

// Whether a text contains a name as a sequence of whole words.
export function mentions(text: string, name: string): boolean {
  const wanted = wordsOf(name.toLowerCase()).join(' ');
  return wanted !== '' && ` ${wordsOf(text.toLowerCase()).join(' ')} `.includes(` ${wanted} `);
}

export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isVersion(word: string, own: ReadonlySet<string>): boolean {
  return VERSION.test(word) || own.has(word.replace(/^v(?=\d)/, ''));
}

function withoutNames(words: readonly string[], names: readonly string[]): string[] {
  let text = ` ${words.join(' ')} `;
  // Longer names first: the org's name may be the beginning of the product's.
  const phrases = names.map((name) => wordsOf(name.toLowerCase()).join(' ')).sort((a, b) => b.length - a.length);
  for (const phrase of phrases) {
    if (phrase !== '') while (text.includes(` ${phrase} `)) text = text.replace(` ${phrase} `, ' ');
  }
  return text.split(' ').filter((word) => word !== '');
}

function wordsAndPairs(words: readonly string[]): Set<string> {
  const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`);
  return new Set([...words, ...pairs]);
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
