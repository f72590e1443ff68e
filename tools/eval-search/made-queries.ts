// Queries whose answer follows from the texts: names, identifiers that occur once, rare words that occur together.
import { createRandom, type Random } from '../../src/demo/random.ts';
import { plainText } from '../../src/domain/notes/plain-text.ts';
import { exactTokens } from '../../src/domain/search-text/exact-tokens.ts';
import { foldText, wordsOf } from '../../src/domain/search-text/fold.ts';
import { readWord } from '../../src/domain/search-text/query-terms.ts';
import { stem } from '../../src/domain/search-text/stem.ts';
import { isStopWord } from '../../src/domain/search-text/stop-words.ts';
import type { EvalRelease, EvalSource, JudgedQuery } from './judged-set.ts';

const MOST_IDENTIFIERS = 200;
const MOST_WORD_QUERIES = 200;
const WORDS_PER_QUERY = 3;
// A word in more documents than this is not rare.
const RARE = 4;
const PLAIN_WORD = /^[a-z]{5,14}$/;
// A name with letters: numbers alone are ambiguous.
const TELLING = /\p{L}/u;

export function makeQueries(sources: readonly EvalSource[]): JudgedQuery[] {
  const releases = sources.flatMap((source) => source.releases);
  const random = createRandom('queries');
  return [...nameQueries(sources), ...identifierQueries(releases, random), ...wordQueries(releases, random)];
}

function nameQueries(sources: readonly EvalSource[]): JudgedQuery[] {
  return sources.map(({ name, releases }) => ({
    query: name,
    sort: 'name',
    grades: new Map(releases.map(({ key }) => [key, 1])),
  }));
}

function identifierQueries(releases: readonly EvalRelease[], random: Random): JudgedQuery[] {
  const places = placesOf(releases, ({ title, version, content }) => exactTokens(title, version, content));
  const single = [...places].flatMap(([token, keys]): JudgedQuery[] => {
    const [key] = keys;
    const isName = TELLING.test(token) && !token.startsWith('~') && readWord(token, false)?.sort === 'hard';
    return isName && keys.length === 1 && key
      ? [{ query: token, sort: 'identifier', grades: new Map([[key, 1]]) }]
      : [];
  });
  return random.sample(single, MOST_IDENTIFIERS);
}

function wordQueries(releases: readonly EvalRelease[], random: Random): JudgedQuery[] {
  const stemsOf = ({ title, content }: EvalRelease) => wordsOf(foldText(`${title} ${content}`)).map(stem);
  const places = placesOf(releases, stemsOf);
  const queries: JudgedQuery[] = [];
  for (const release of random.shuffle(releases)) {
    if (queries.length >= MOST_WORD_QUERIES) break;
    const words = wordsOf(foldText(plainText(release.content, 4000)));
    const rare = [...new Set(words)].filter((word) => {
      const count = places.get(stem(word))?.length ?? 0;
      return PLAIN_WORD.test(word) && !isStopWord(word) && count > 0 && count <= RARE;
    });
    if (rare.length < WORDS_PER_QUERY) continue;
    const chosen = random.sample(rare, WORDS_PER_QUERY);
    const keys = chosen.map((word) => new Set(places.get(stem(word))));
    const together = [...(keys[0] ?? [])].filter((key) => keys.every((set) => set.has(key)));
    // The space at the end marks the last word as complete.
    queries.push({ query: `${chosen.join(' ')} `, sort: 'words', grades: new Map(together.map((key) => [key, 1])) });
  }
  return queries;
}

function placesOf(
  releases: readonly EvalRelease[],
  termsOf: (release: EvalRelease) => readonly string[],
): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const release of releases) {
    for (const term of new Set(termsOf(release))) {
      const keys = places.get(term);
      if (keys) keys.push(release.key);
      else places.set(term, [release.key]);
    }
  }
  return places;
}
