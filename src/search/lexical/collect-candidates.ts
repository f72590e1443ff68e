// Collects the documents to rank: all matches when they are few, else the newest of a time window that costs a fixed amount of
// work, so that a search costs the same in a registry of any size.
import type { Context } from '../../context.ts';
import type { SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { firstKeyOfMinute, lastKeyOfMinute, minuteOf } from '../../domain/search-text/doc-key.ts';
import type { ScoredText } from '../../domain/search-text/score.ts';
import type { FullTextColumn, FullTextIndex } from '../../store/dialect.ts';
import { type ChunkCandidate, chunkDocuments } from '../candidates/chunks.ts';
import { READABLE_CHARS, type ReleaseCandidate, releaseBodies, releaseDocuments } from '../candidates/releases.ts';
import type { FilterEntry } from '../filters/entry.ts';
import { ENTITY_FILTERS, RELEASE_FILTERS } from '../filters/table.ts';
import { searchQueries } from '../search-connection.ts';
import type { ExpandedGroup } from './groups.ts';
import { costOf, countGroup, keyHistogram, lowestKeyFor, WORK } from './index-counts.ts';

export interface CollectedCandidates {
  keys: number[];
  // All matches were collected.
  complete: boolean;
  // The lowest key that was searched.
  lowestKey: number;
}

interface CollectInput {
  corpus: Pick<Corpus<never>, 'index' | 'head' | 'near'>;
  groups: readonly ExpandedGroup[];
  scope: ScopeOfSearch;
  // The collection stops at `enough` matches and takes at most `most`.
  enough: number;
  most: number;
  // With tiers, documents with the words in their head columns come first; without, only the date counts.
  tiers: boolean;
}

// When the first window finds too little, a second one reaches back four times as far.
const WINDOWS = [WORK, 4 * WORK];
// A window is divided by this number; its newest part shows how common matches are.
const SLICES = 16;
// Longer lists of filter values are not counted, because the count costs more than it is worth.
const COUNTED_VALUES = 8;

export async function collectCandidates(ctx: Context, input: CollectInput): Promise<CollectedCandidates> {
  const { corpus, groups, scope, enough, most, tiers } = input;
  const histogram = await keyHistogram(ctx, corpus.index);
  const rarest = Math.min(...groups.map(({ reach }) => reach), await rarestFilter(ctx, corpus, scope));
  const { entries, sparse } = costOf({
    rarest,
    entries: sum(groups.map((group) => group.entries)),
    lists: sum(groups.map(({ lists }) => lists)),
  });
  const keys: number[] = [];
  let complete = true;
  let maxKey = scope.maxKey;
  for (const work of WINDOWS) {
    const reached = lowestKeyFor(histogram, { entries, work, from: scope.maxKey });
    const minKey = Math.max(scope.minKey, reached);
    const sliceKey = Math.max(minKey, lowestKeyFor(histogram, { entries, work: WORK / SLICES, from: maxKey }));
    const part = await ctx.store.dialect.findCandidates(searchQueries(ctx), {
      index: corpus.index,
      groups: groups.map(({ all }) => all),
      tiers: tiers ? { head: corpus.head, near: corpus.near } : null,
      required: scope.required,
      excluded: scope.excluded,
      minKey,
      maxKey,
      most: most - keys.length,
      rarest,
      sparse,
      sliceKey: entries > WORK ? sliceKey : null,
      rows: ctx.config.searchRankCap,
    });
    keys.push(...part.keys);
    complete &&= part.complete;
    const { lowestKey } = part;
    if (minKey === scope.minKey) return { keys, complete, lowestKey };
    if (keys.length >= enough || !part.complete) return { keys, complete: false, lowestKey };
    maxKey = minKey - 1;
  }
  return { keys, complete: false, lowestKey: maxKey + 1 };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

async function rarestFilter(ctx: Context, corpus: CollectInput['corpus'], scope: ScopeOfSearch): Promise<number> {
  let rarest = Number.POSITIVE_INFINITY;
  for (const terms of scope.required) {
    if (terms.length === 0) return 0;
    if (terms.length > COUNTED_VALUES) continue;
    const group = terms.map((term) => ({ kind: 'exact' as const, term }));
    rarest = Math.min(rarest, (await countGroup(ctx, corpus.index, group)).docs);
  }
  return rarest;
}

// The two corpora of a search by words: releases and chunks, each an index of documents and the rows behind it.

export interface CorpusDocument<Candidate extends { docKey: number }> {
  candidate: Candidate;
  // Whether the key contains a date of the document itself, which recency is computed from.
  dated: boolean;
  text: ScoredText;
}

// A searchable corpus: an index of documents and the rows behind it.
export interface Corpus<Candidate extends { docKey: number }> {
  index: FullTextIndex;
  // Columns that say what a document is about.
  head: readonly FullTextColumn[];
  // Columns in which a single word counts almost as much; empty when there are none.
  near: readonly FullTextColumn[];
  // How many characters of the text can be read; 0 when the rows hold no text.
  readable: number;
  // The rows of these keys that pass the filter now.
  read(
    ctx: Context,
    keys: readonly number[],
    options: { filter: SearchFilter; withContent: boolean },
  ): Promise<CorpusDocument<Candidate>[]>;
  // The readable texts of these keys.
  contents(ctx: Context, keys: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

export const RELEASE_CORPUS: Corpus<ReleaseCandidate> = {
  index: 'releases',
  head: ['title', 'version'],
  near: ['title', 'version', 'summary'],
  readable: READABLE_CHARS,
  read: releaseDocuments,
  contents: releaseBodies,
};

export const CHUNK_CORPUS: Corpus<ChunkCandidate> = {
  index: 'chunks',
  head: ['title'],
  // Headings are mostly dates, versions and words such as "Fixes", so one word in them says little.
  near: [],
  readable: 0,
  read: (ctx, keys, { filter }) => chunkDocuments(ctx, keys, filter),
  contents: async () => new Map(),
};

// The scope of a search: filters as index terms and key bounds, so that they are applied before the candidates are limited.

export interface ScopeOfSearch {
  required: string[][];
  excluded: string[];
  minKey: number;
  maxKey: number;
  // A list of values was too long for the index: only the check of the rows applies it.
  hasLongList: boolean;
}

const MAX_TERMS = 100;

// The filters on orgs, products and sources, which apply to chunks too.
export function entityScope(filter: SearchFilter, now: Date): ScopeOfSearch {
  return { ...termsOf(ENTITY_FILTERS, filter), minKey: 0, maxKey: lastKeyOfMinute(minuteOf(now.toISOString())) };
}

export function releaseScope(filter: SearchFilter, now: Date): ScopeOfSearch {
  const { maxKey, minKey } = entityScope(filter, now);
  const { since, until } = filter;
  return {
    ...releaseTerms(filter),
    minKey: since === undefined ? minKey : firstKeyOfMinute(minuteOf(since)),
    maxKey: until === undefined ? maxKey : Math.min(maxKey, lastKeyOfMinute(minuteOf(until))),
  };
}

export function releaseTerms(filter: SearchFilter): FilterTerms {
  return termsOf(RELEASE_FILTERS, filter);
}

type FilterTerms = Pick<ScopeOfSearch, 'required' | 'excluded' | 'hasLongList'>;

function termsOf<Row>(entries: readonly FilterEntry<Row>[], filter: SearchFilter): FilterTerms {
  const lists = entries.flatMap((entry) => entry.required?.(filter) ?? []);
  return {
    required: lists.filter(({ size }) => size <= MAX_TERMS).map((list) => list.terms()),
    excluded: [...new Set(entries.flatMap((entry) => entry.excluded?.(filter) ?? []))],
    hasLongList: lists.some(({ size }) => size > MAX_TERMS),
  };
}
