// Runs all retrievers concurrently, and reads the rows of each as soon as it has found its hits. A vector retriever may fail,
// and the search continues without it; a lexical retriever may not.
import type { Context } from '../../context.ts';
import type { SearchMode } from '../../contract/search.ts';
import { leastCosine, RETRIEVER_DEPTH } from '../../domain/retrieval/fusion.ts';
import type {
  DegradedReason,
  LexicalAnswer,
  LexicalHit,
  SearchFilter,
  VectorAnswer,
} from '../../domain/retrieval/retrievers.ts';
import { mustOccur, type SearchGroup, type SearchQuery } from '../../domain/search-text/search-query.ts';
import type { VectorKind } from '../../ports.ts';
import { type ChunkCandidate, chunksBySeq } from '../candidates/chunks.ts';
import { type ReleaseCandidate, releasesBySeq } from '../candidates/releases.ts';
import { CHUNK_CORPUS, RELEASE_CORPUS } from '../lexical/collect-candidates.ts';
import { expandGroups } from '../lexical/groups.ts';
import { isIdentifierMissing } from '../lexical/index-counts.ts';
import { holding, searchChunks, searchReleases } from '../lexical/search.ts';
import { indexUnavailable, warnOncePerMinute } from '../search-connection.ts';

export interface Retrieved {
  wordReleases: readonly LexicalHit<ReleaseCandidate>[];
  wordChunks: readonly LexicalHit<ChunkCandidate>[];
  vectorReleases: readonly ReleaseCandidate[];
  vectorChunks: readonly ChunkCandidate[];
  ranking: LexicalAnswer<unknown>['ranking'];
  // True when a retriever found more than it returns.
  cut: boolean;
  // Why the vector retrievers did not answer; null when they did.
  degraded: DegradedReason | null;
  // The mode that the search was run in.
  mode: SearchMode;
  // Words of the query that nothing holds.
  unknownWords: readonly string[];
}

interface RetrieveInput {
  // The text as typed, which is embedded.
  q: string;
  query: SearchQuery;
  mode: SearchMode;
  filter: SearchFilter;
  chunks: boolean;
}

export async function retrieve(ctx: Context, input: RetrieveInput): Promise<Retrieved> {
  const { query, mode } = input;
  const identifierMissing = query.hardIdentifier
    ? withLexicalIndex(ctx, () => isIdentifierMissing(ctx, query))
    : Promise.resolve(false);
  // Meaning alone needs no words in common.
  const unknown =
    mode === 'semantic' ? Promise.resolve([]) : withLexicalIndex(ctx, () => unknownGroups(ctx, query.groups));
  // Callers that await them see their failure; without a caller the rejection is ignored.
  for (const counted of [identifierMissing, unknown]) counted.catch(() => {});
  const requested = { ...input, identifierMissing, unknown };
  const retrieved = await withNamed(ctx, requested, await ofMode(ctx, requested));
  const isFound = retrieved.wordReleases.length > 0 || retrieved.wordChunks.length > 0;
  const unknownWords = isFound ? [] : (await unknown).map(({ typed }) => typed);
  return { ...retrieved, unknownWords };
}

// Beside hits by words nothing is listed for its meaning that lacks a number, a version or a name that some document holds.
async function withNamed<T extends Omit<Retrieved, 'unknownWords'>>(
  ctx: Context,
  { query, filter, mode, unknown }: RetrievalRequest,
  retrieved: T,
): Promise<T> {
  if (mode === 'semantic' || retrieved.vectorReleases.length + retrieved.vectorChunks.length === 0) return retrieved;
  const missing = await unknown;
  const groups = query.groups.filter(
    (group) => mustOccur(group) || (group.sort === 'hard' && !missing.includes(group)),
  );
  const { since: _, until: __, ...everyTime } = filter;
  const [vectorReleases, vectorChunks] = await Promise.all([
    holding(ctx, { corpus: RELEASE_CORPUS, filter, groups }, retrieved.vectorReleases),
    holding(ctx, { corpus: CHUNK_CORPUS, filter: everyTime, groups }, retrieved.vectorChunks),
  ]);
  return { ...retrieved, vectorReleases, vectorChunks };
}

async function ofMode(ctx: Context, requested: RetrievalRequest): Promise<Omit<Retrieved, 'unknownWords'>> {
  if (requested.mode === 'lexical') return { ...NOTHING, ...(await byWords(ctx, { ...requested, chunks: false })) };
  if (requested.mode === 'hybrid') {
    const [words, meaning] = await Promise.all([byWords(ctx, requested), byMeaning(ctx, requested)]);
    return { ...words, ...meaning, cut: words.cut || meaning.cut, mode: meaning.answered ? 'hybrid' : 'lexical' };
  }
  const meaning = await byMeaning(ctx, requested);
  if (meaning.degraded === null) return { ...NOTHING, ...meaning, mode: 'semantic' };
  // A degraded answer always has the lexical hits too, so that it is not empty for lack of vectors.
  const words = await byWords(ctx, requested);
  return { ...words, ...meaning, cut: words.cut || meaning.cut, mode: meaning.answered ? 'hybrid' : 'lexical' };
}

const NOTHING: Omit<Retrieved, 'unknownWords'> = {
  wordReleases: [],
  wordChunks: [],
  vectorReleases: [],
  vectorChunks: [],
  ranking: 'full',
  cut: false,
  degraded: null,
  mode: 'lexical',
};

interface RetrievalRequest extends RetrieveInput {
  identifierMissing: Promise<boolean>;
  unknown: Promise<readonly SearchGroup[]>;
}

type ByWords = Pick<Retrieved, 'wordReleases' | 'wordChunks' | 'ranking' | 'cut'>;

function byWords(ctx: Context, { query, filter, chunks, identifierMissing }: RetrievalRequest): Promise<ByWords> {
  const search = { query, filter, identifierMissing };
  return withLexicalIndex(ctx, async () => {
    const [releases, parts] = await Promise.all([
      searchReleases(ctx, search),
      chunks ? searchChunks(ctx, search) : null,
    ]);
    return {
      wordReleases: releases.hits,
      wordChunks: parts?.hits ?? [],
      ranking: releases.ranking,
      cut: releases.cut || (parts?.cut ?? false),
    };
  });
}

async function withLexicalIndex<T>(ctx: Context, search: () => Promise<T>): Promise<T> {
  try {
    return await search();
  } catch (error) {
    throw indexUnavailable(ctx, error);
  }
}

type ByMeaning = Pick<Retrieved, 'vectorReleases' | 'vectorChunks' | 'degraded' | 'cut'> & { answered: boolean };

async function byMeaning(ctx: Context, requested: RetrievalRequest): Promise<ByMeaning> {
  const { q, query, filter, chunks } = requested;
  const { since: _, until: __, ...everyTime } = filter;
  const [releases, parts] = await Promise.all([
    nearest(ctx, { kind: 'release', text: q, filter }),
    chunks ? nearest(ctx, { kind: 'chunk', text: q, filter: everyTime }) : null,
  ]);
  const answers = parts === null ? [releases] : [releases, parts];
  const degraded = reasonOf(answers);
  // Without releases, chunks would crowd out lexical hits; a registry of changelog files alone has no vectors of releases.
  const lacking = 'degraded' in releases && releases.degraded !== 'index_empty';
  if (lacking || !answers.some((answer) => 'hits' in answer)) return { ...NO_MEANING, degraded };
  const [identifierMissing, unknown] = await Promise.all([requested.identifierMissing, requested.unknown]);
  const words = { all: query.groups.length, unknown: unknown.length };
  const least = leastCosine({ words, identifierMissing });
  const [releaseKeys, chunkKeys] = [keysOf(releases, least), keysOf(parts, least)];
  const [vectorReleases, vectorChunks] = await Promise.all([
    inOrder(releaseKeys, releasesBySeq(ctx, releaseKeys, filter)),
    inOrder(chunkKeys, chunksBySeq(ctx, chunkKeys, filter)),
  ]);
  const cut = [releaseKeys, chunkKeys].some((keys) => keys.length >= RETRIEVER_DEPTH);
  return { vectorReleases, vectorChunks, degraded, cut, answered: true };
}

const NO_MEANING: ByMeaning = { vectorReleases: [], vectorChunks: [], degraded: null, cut: false, answered: false };

async function nearest(
  ctx: Context,
  question: { kind: VectorKind; text: string; filter: SearchFilter },
): Promise<VectorAnswer> {
  try {
    return await ctx.ports.vectors.search(ctx, { ...question, limit: RETRIEVER_DEPTH });
  } catch (error) {
    warnOncePerMinute(ctx, 'vector', error);
    return { degraded: 'index_unavailable' };
  }
}

function keysOf(answer: VectorAnswer | null, least: number): number[] {
  if (answer === null || !('hits' in answer)) return [];
  return answer.hits.flatMap(({ key, cosine }) => (cosine >= least ? [key] : []));
}

async function inOrder<T>(keys: readonly number[], rows: Promise<ReadonlyMap<number, T>>): Promise<T[]> {
  const found = await rows;
  return keys.flatMap((key) => found.get(key) ?? []);
}

// The reason why the answer is degraded. A registry without changelog files has no vectors of chunks, which is no reason.
function reasonOf(answers: readonly VectorAnswer[]): DegradedReason | null {
  const reasons = answers.flatMap((answer) => ('degraded' in answer ? [answer.degraded] : []));
  const serious = reasons.find((reason) => reason !== 'index_empty');
  return serious ?? (reasons.length === answers.length ? (reasons[0] ?? null) : null);
}

// Which words of a query nothing holds: no release and no section of a changelog.

async function unknownGroups(ctx: Context, groups: readonly SearchGroup[]): Promise<SearchGroup[]> {
  const inReleases = await expandGroups(ctx, 'releases', groups);
  const missing = inReleases.filter(({ docs }) => docs === 0).map(({ group }) => group);
  const inChunks = await expandGroups(ctx, 'chunks', missing);
  return inChunks.filter(({ docs }) => docs === 0).map(({ group }) => group);
}
