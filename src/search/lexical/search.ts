// The lexical retrievers: `searchReleases` and `searchChunks` take candidates from the index and rank them here, in the same way
// on both engines.
import type { Context } from '../../context.ts';
import { FEW_HITS, RETRIEVER_DEPTH } from '../../domain/retrieval/fusion.ts';
import type { LexicalAnswer, LexicalHit, SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { minuteOfKey } from '../../domain/search-text/doc-key.ts';
import { groupMatcher, numberMatcher, recency, scorer, type WeighedGroup } from '../../domain/search-text/score.ts';
import { mustOccur, type SearchGroup, type SearchQuery } from '../../domain/search-text/search-query.ts';
import type { ChunkCandidate } from '../candidates/chunks.ts';
import type { ReleaseCandidate } from '../candidates/releases.ts';
import {
  CHUNK_CORPUS,
  type CollectedCandidates,
  type Corpus,
  type CorpusDocument,
  collectCandidates,
  entityScope,
  RELEASE_CORPUS,
  releaseScope,
  type ScopeOfSearch,
} from './collect-candidates.ts';
import { type ExpandedGroup, expandGroups, loosenedGroups } from './groups.ts';
import { keyHistogram } from './index-counts.ts';

interface LexicalSearch {
  query: SearchQuery;
  filter: SearchFilter;
  // Whether no document contains the identifier of the query.
  identifierMissing: Promise<boolean>;
}

export function searchReleases(ctx: Context, search: LexicalSearch): Promise<LexicalAnswer<ReleaseCandidate>> {
  return searchIndex(ctx, { ...search, corpus: RELEASE_CORPUS, scope: releaseScope(search.filter, ctx.clock()) });
}

// How many of the newest candidates are looked at before all of them.
const FIRST_LOOK = 16;

// Whether any release holds every word.
export async function isAnyRelease(ctx: Context, search: Pick<LexicalSearch, 'query' | 'filter'>): Promise<boolean> {
  const corpus = RELEASE_CORPUS;
  const scope = releaseScope(search.filter, ctx.clock());
  const groups = await expandGroups(ctx, corpus.index, search.query.groups);
  if (groups.length === 0 || groups.some(({ docs }) => docs === 0)) return false;
  const read = matchingReader(ctx, { corpus, filter: search.filter }, groups);
  if (!scope.hasLongList) {
    const sizes = { enough: FIRST_LOOK, most: FIRST_LOOK };
    const { keys, complete } = await collectCandidates(ctx, { corpus, groups, scope, ...sizes, tiers: false });
    const isFound = (await read(keys)).length > 0;
    if (isFound || complete) return isFound;
  }
  return (await candidates(ctx, { filter: search.filter, corpus, scope }, groups)).documents.length > 0;
}

// Chunks have no date; only filters on entities and on the verdicts of the release of their entry apply to them.
export function searchChunks(ctx: Context, search: LexicalSearch): Promise<LexicalAnswer<ChunkCandidate>> {
  return searchIndex(ctx, { ...search, corpus: CHUNK_CORPUS, scope: entityScope(search.filter, ctx.clock()) });
}

interface IndexSearch<C extends { docKey: number }> extends LexicalSearch {
  corpus: Corpus<C>;
  scope: ScopeOfSearch;
}

// The best candidates are ranked once more with their texts.
const READ_WHOLE = 48;
const LONG_LIST_PAGES = 12;
// How many pages are requested at the same time.
const PAGES_AT_ONCE = 4;

async function searchIndex<C extends { docKey: number }>(
  ctx: Context,
  input: IndexSearch<C>,
): Promise<LexicalAnswer<C>> {
  const { corpus, query } = input;
  if (query.groups.length === 0) return { hits: [], ranking: 'full', cut: false };
  const groups = await expandGroups(ctx, corpus.index, query.groups);
  const { documents, complete } = await candidates(ctx, input, groups);
  const ranked = await rank(ctx, input, groups, documents, complete);
  const hits = ranked
    .slice(0, RETRIEVER_DEPTH)
    .map(({ candidate, score }): LexicalHit<C> => ({ candidate, score, pass: 'every' }));
  const ranking = complete ? 'full' : 'newest';
  const cut = !complete || ranked.length > RETRIEVER_DEPTH;
  // When the identifier of the query is missing, matches of the other words are not relevant.
  if (hits.length >= FEW_HITS || (await input.identifierMissing)) return { hits, ranking, cut };
  const loose = await loosenedGroups(ctx, corpus.index, groups);
  hits.push(...(await looseHits(ctx, { ...input, groups, loose, found: hits })));
  return { hits, ranking, cut };
}

interface CollectedDocuments<C extends { docKey: number }> {
  documents: CorpusDocument<C>[];
  complete: boolean;
}

type CandidateSearch<C extends { docKey: number }> = Pick<IndexSearch<C>, 'corpus' | 'scope' | 'filter'>;

async function candidates<C extends { docKey: number }>(
  ctx: Context,
  input: CandidateSearch<C>,
  groups: readonly ExpandedGroup[],
): Promise<CollectedDocuments<C>> {
  const { corpus, scope } = input;
  const read = matchingReader(ctx, input, groups);
  const most = RETRIEVER_DEPTH;
  if (scope.hasLongList) return pagedCandidates(ctx, input, groups, read);
  const { keys, complete } = await collectCandidates(ctx, { corpus, groups, scope, enough: most, most, tiers: true });
  return { documents: await read(keys), complete };
}

// Reads the documents of these keys that pass the filter and hold the numbers of the query by themselves.
function matchingReader<C extends { docKey: number }>(
  ctx: Context,
  { corpus, filter }: Pick<CandidateSearch<C>, 'corpus' | 'filter'>,
  groups: readonly ExpandedGroup[],
): (keys: readonly number[]) => Promise<CorpusDocument<C>[]> {
  const holdsNumbers = numberMatcher(groups);
  const withContent = holdsNumbers !== null && corpus.readable > 0;
  return async (keys) => {
    const documents = await corpus.read(ctx, keys, { filter, withContent });
    return holdsNumbers ? documents.filter(({ text }) => holdsNumbers(text, corpus.readable)) : documents;
  };
}

// A filter of more values than the index can be asked for is checked on the rows, page by page, further and further back in
// time. After the first page, as many are asked for at once as it is likely to take; what follows the page that has
// enough is left out.
async function pagedCandidates<C extends { docKey: number }>(
  ctx: Context,
  { corpus, scope }: CandidateSearch<C>,
  groups: readonly ExpandedGroup[],
  read: (keys: readonly number[]) => Promise<CorpusDocument<C>[]>,
): Promise<CollectedDocuments<C>> {
  const documents: CorpusDocument<C>[] = [];
  const most = RETRIEVER_DEPTH;
  let maxKey = scope.maxKey;
  let pages = 0;
  while (pages < LONG_LIST_PAGES) {
    const likely = pages === 0 ? 1 : Math.ceil((pages * (most - documents.length)) / Math.max(1, documents.length));
    const part = await collectCandidates(ctx, {
      corpus,
      groups,
      scope: { ...scope, maxKey },
      enough: most,
      most: most * Math.min(likely, PAGES_AT_ONCE, LONG_LIST_PAGES - pages),
      tiers: false,
    });
    const { keys, lowestKey } = wholePages(part, most);
    const passed = await read(keys);
    for (let start = 0; start === 0 || start < keys.length; start += most) {
      const [first = maxKey, last = lowestKey] = [keys[start], keys[start + most - 1]];
      documents.push(...passed.filter(({ candidate: { docKey } }) => docKey <= first && docKey >= last));
      pages += 1;
      if (part.complete && start + most >= keys.length) return { documents, complete: true };
      maxKey = (start + most < keys.length ? last : lowestKey) - 1;
      if (documents.length >= most || maxKey < scope.minKey) return { documents, complete: false };
    }
  }
  return { documents, complete: false };
}

// A page that may lack keys is left for the next time, unless it is the first or the last of all.
function wholePages(part: CollectedCandidates, most: number): Pick<CollectedCandidates, 'keys' | 'lowestKey'> {
  const { keys, complete, lowestKey } = part;
  const whole = keys.length - (keys.length % most);
  if (complete || whole === 0 || keys.length === most) return { keys, lowestKey };
  return { keys: keys.slice(0, whole), lowestKey: keys[whole - 1] ?? lowestKey };
}

async function rank<C extends { docKey: number }>(
  ctx: Context,
  { corpus }: IndexSearch<C>,
  groups: readonly ExpandedGroup[],
  documents: readonly CorpusDocument<C>[],
  complete: boolean,
): Promise<RankedDocument<C>[]> {
  const score = await scoring(ctx, corpus);
  const ranked = documents.map((document) => ({ document, ...score(document, groups) })).sort(bestFirst);
  if (!complete || corpus.readable === 0) return ranked;
  const best = ranked.slice(0, READ_WHOLE);
  const unread = best.filter(({ document }) => document.text.content === null);
  const contents = await corpus.contents(
    ctx,
    unread.map(({ candidate }) => candidate.docKey),
  );
  const whole = unread.flatMap(({ document }) => {
    const content = contents.get(document.candidate.docKey);
    return content === undefined ? [] : [score({ ...document, text: { ...document.text, content } }, groups)];
  });
  const read = best.filter(({ document }) => document.text.content !== null);
  return [...read, ...whole, ...ranked.slice(READ_WHOLE)].sort(bestFirst);
}

interface HoldingSearch<C extends { docKey: number }> {
  corpus: Corpus<C>;
  filter: SearchFilter;
  groups: readonly SearchGroup[];
}

// Those that hold every one of the groups, as far as their texts are read for ranking.
export async function holding<C extends { docKey: number }>(
  ctx: Context,
  { corpus, filter, groups }: HoldingSearch<C>,
  found: readonly C[],
): Promise<readonly C[]> {
  if (groups.length === 0 || found.length === 0) return found;
  const matchers = (await expandGroups(ctx, corpus.index, groups)).map(groupMatcher);
  const keys = found.map(({ docKey }) => docKey);
  const documents = await corpus.read(ctx, keys, { filter, withContent: corpus.readable > 0 });
  const held = documents.filter(({ text }) => matchers.every((holds) => holds(text)));
  const kept = new Set(held.map(({ candidate }) => candidate.docKey));
  return found.filter(({ docKey }) => kept.has(docKey));
}

// The second pass, which runs when all words together find next to nothing: it finds documents with at least half of them.

const NEWEST_OF_GROUP = 32;
const MAX_LOOSE = 128;

interface LoosePass<C extends { docKey: number }> {
  corpus: Corpus<C>;
  scope: ScopeOfSearch;
  filter: SearchFilter;
  groups: readonly ExpandedGroup[];
  // The groups in the form of this pass.
  loose: readonly ExpandedGroup[];
  // The hits of the first pass.
  found: readonly LexicalHit<C>[];
}

async function looseHits<C extends { docKey: number }>(
  ctx: Context,
  { corpus, scope, filter, groups, loose, found }: LoosePass<C>,
): Promise<LexicalHit<C>[]> {
  // A single group that is the same in both passes would find the same documents.
  if (loose.length === 1 && loose[0] === groups[0]) return [];
  const rarestFirst = loose.toSorted((a, b) => a.docs - b.docs);
  const known = new Set(found.map(({ candidate }) => candidate.docKey));
  const matched = new Map<number, Set<ExpandedGroup>>();
  for (const group of rarestFirst) {
    const most = Math.min(NEWEST_OF_GROUP, MAX_LOOSE - matched.size);
    if (most <= 0) break;
    const { keys } = await collectCandidates(ctx, { corpus, groups: [group], scope, enough: most, most, tiers: false });
    for (const key of keys) if (!known.has(key)) matched.set(key, (matched.get(key) ?? new Set()).add(group));
  }
  // A number says something only together with a word.
  const least = groups.some(({ group }) => group.sort === 'number')
    ? Math.max(2, groups.length / 2)
    : groups.length / 2;
  const documents = await corpus.read(ctx, [...matched.keys()], { filter, withContent: corpus.readable > 0 });
  const score = await scoring(ctx, corpus);
  const ranked = documents
    .flatMap((document) => {
      const own = groupsOf(document, rarestFirst, matched.get(document.candidate.docKey));
      const isAnswer = rarestFirst.every((one) => own.includes(one) || !isRequired(one));
      return own.length < least || !isAnswer ? [] : [score(document, own)];
    })
    .sort(bestFirst);
  return below(found, ranked);
}

// What must occur, and a name that some document holds.
function isRequired({ group, docs }: ExpandedGroup): boolean {
  return mustOccur(group) || (group.sort === 'hard' && docs > 0);
}

// The groups that a document matches. Matches of numbers are checked in the text, because the index also finds them inside
// versions.
function groupsOf(
  { text }: CorpusDocument<{ docKey: number }>,
  groups: readonly ExpandedGroup[],
  known?: ReadonlySet<ExpandedGroup>,
): ExpandedGroup[] {
  return groups.filter((requested) => {
    return (requested.group.sort !== 'number' && known?.has(requested)) || groupMatcher(requested)(text);
  });
}

// Scores of the two passes cannot be compared, so all hits of the second pass are scored below those of the first.
function below<C>(found: readonly LexicalHit<C>[], ranked: readonly RankedDocument<C>[]): LexicalHit<C>[] {
  const lowest = Math.min(...found.map(({ score }) => score), Number.POSITIVE_INFINITY);
  const highest = ranked[0]?.score ?? 0;
  const factor = highest > 0 && Number.isFinite(lowest) ? Math.min(1, (lowest * 0.5) / highest) : 1;
  return ranked.map(({ candidate, score }) => ({ candidate, score: score * factor, pass: 'some' }));
}

interface RankedDocument<C> {
  candidate: C;
  score: number;
}

type Score<C extends { docKey: number }> = (
  document: CorpusDocument<C>,
  groups: readonly WeighedGroup[],
) => RankedDocument<C>;

// The scoring function for the current state of the index.
async function scoring<C extends { docKey: number }>(ctx: Context, corpus: Corpus<C>): Promise<Score<C>> {
  const { docs } = await keyHistogram(ctx, corpus.index);
  const nowMs = ctx.clock().getTime();
  let last: { groups: readonly WeighedGroup[]; score: ReturnType<typeof scorer> } | null = null;
  return ({ candidate, dated, text }, groups) => {
    if (last?.groups !== groups) last = { groups, score: scorer(groups, docs) };
    // The key contains the date in minutes.
    const atMs = dated ? minuteOfKey(candidate.docKey) * 60_000 : null;
    return { candidate, score: last.score(text) * recency(atMs, nowMs) };
  };
}

function bestFirst<C extends { docKey: number }>(a: RankedDocument<C>, b: RankedDocument<C>): number {
  return b.score - a.score || b.candidate.docKey - a.candidate.docKey;
}
