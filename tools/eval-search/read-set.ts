// Reads the set at a path: a folder of changelogs `X.md` (`_acme_core.md` is `@acme/core`), or a file of paraphrases.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseChangelog } from '../../src/domain/changelog/entries.ts';
import { plainText } from '../../src/domain/notes/plain-text.ts';
import { foldText, stem, wordsOf } from '../../src/domain/search-text/analysis.ts';
import { exactTokens } from '../../src/domain/search-text/exact-tokens.ts';
import { isStopWord, readWord } from '../../src/domain/search-text/query-terms.ts';
import { createRandom, type Random } from '../../src/domain/seeded-random.ts';
import type { EvalRelease, EvalSource, JudgedQuery, JudgedSet, QuerySort } from './judged-set.ts';

interface ReadOptions {
  // A file of judged queries for the folder.
  queries?: string;
  // The number of newest releases of each changelog that are used.
  most: number;
  now: Date;
}

export function readSet(path: string, options: ReadOptions): JudgedSet {
  if (statSync(path).isDirectory()) return readFolder(path, options);
  const file = JSON.parse(readFileSync(path, 'utf8')) as ParaphraseFile;
  if (!Array.isArray(file.pairs)) throw new Error(`${path} holds no list \`pairs\` of document and query`);
  return paraphraseSet(file, options.now);
}

function readFolder(folder: string, options: ReadOptions): JudgedSet {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const sources = files.map((file) => readChangelog(join(folder, file), options));
  const filled = sources.filter(({ releases }) => releases.length > 0);
  const judged = options.queries === undefined ? [] : readJudged(options.queries, filled);
  return { sources: filled, queries: [...makeQueries(filled), ...judged] };
}

function readChangelog(path: string, { most, now }: ReadOptions): EvalSource {
  const name = packageName(basename(path, '.md'));
  const names = [name, ...name.replace('@', '').split('/')];
  const entries = parseChangelog(readFileSync(path, 'utf8'), { names, now, format: 'markdown' });
  const seen = new Set<string>();
  const releases = entries.flatMap(({ title, version, date, body }): EvalRelease[] => {
    const key = `${name} ${version ?? title}`;
    if (body === '' || seen.has(key)) return [];
    seen.add(key);
    return [{ key, title: title || (version ?? name), version, content: body, publishedAt: date?.at ?? null }];
  });
  return { name, releases: releases.slice(0, most) };
}

function packageName(file: string): string {
  const [scope, name] = file.startsWith('_') ? file.slice(1).split('_') : [];
  return scope && name ? `@${scope}/${name}` : file;
}

interface JudgedFile {
  queries: { query: string; sort?: QuerySort; relevant: { source: string; version: string; grade?: number }[] }[];
}

function readJudged(path: string, sources: readonly EvalSource[]): JudgedQuery[] {
  const { queries } = JSON.parse(readFileSync(path, 'utf8')) as JudgedFile;
  const known = new Set(sources.flatMap(({ releases }) => releases.map(({ key }) => key)));
  return queries.flatMap(({ query, sort = 'concept', relevant }) => {
    const graded = relevant.map(({ source, version, grade = 1 }) => [`${source} ${version}`, grade] as const);
    const grades = new Map(graded.filter(([key]) => known.has(key)));
    return grades.size > 0 ? [{ query, sort, grades }] : [];
  });
}

interface ParaphraseFile {
  pairs: { document: string; query: string }[];
  distractors?: string[];
}

const DAYS = 900;
const DAY_MS = 86_400_000;

// Each document becomes a release with a random date of the last years, among the others.
export function paraphraseSet({ pairs, distractors = [] }: ParaphraseFile, now: Date): JudgedSet {
  const random = createRandom('paraphrases');
  const texts = random.shuffle([...new Set([...pairs.map(({ document }) => document), ...distractors])]);
  const releases = texts.map((content, index): EvalRelease => {
    const version = `1.${index}.0`;
    const at = now.getTime() - random.int(1, DAYS) * DAY_MS;
    return { key: content, title: version, version, content, publishedAt: new Date(at).toISOString() };
  });
  const sources = [{ name: 'paraphrases', releases }];
  const queries = pairs.map(({ document, query }): JudgedQuery => {
    return { query, sort: 'paraphrase', grades: new Map([[document, 1]]) };
  });
  const words = makeQueries(sources).filter(({ sort }) => sort === 'words');
  return { sources, queries: [...queries, ...words] };
}

// Queries whose answer follows from the texts: names, identifiers that occur once, rare words that occur together.

const MAX_IDENTIFIERS = 200;
const MAX_WORD_QUERIES = 200;
const WORDS_PER_QUERY = 3;
// A word in more documents than this is not rare.
const RARE = 4;
const PLAIN_WORD = /^[a-z]{5,14}$/;
// A name with letters: numbers alone are ambiguous.
const TELLING = /\p{L}/u;

function makeQueries(sources: readonly EvalSource[]): JudgedQuery[] {
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
  const places = placesOf(releases, ({ title, version, content }) =>
    exactTokens(foldText(title), version, foldText(content)),
  );
  const single = [...places].flatMap(([token, keys]): JudgedQuery[] => {
    const [key] = keys;
    const isName = TELLING.test(token) && !token.startsWith('~') && readWord(token, false)?.sort === 'hard';
    return isName && keys.length === 1 && key
      ? [{ query: token, sort: 'identifier', grades: new Map([[key, 1]]) }]
      : [];
  });
  return random.sample(single, MAX_IDENTIFIERS);
}

function wordQueries(releases: readonly EvalRelease[], random: Random): JudgedQuery[] {
  const stemsOf = ({ title, content }: EvalRelease) => wordsOf(foldText(`${title} ${content}`)).map(stem);
  const places = placesOf(releases, stemsOf);
  const queries: JudgedQuery[] = [];
  for (const release of random.shuffle(releases)) {
    if (queries.length >= MAX_WORD_QUERIES) break;
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
