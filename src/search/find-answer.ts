// What a search finds: entities that the text names, and releases and chunks found by words and by meaning. It runs on a thread
// where the engine has some.

import type { Context } from '../context.ts';
import { MAX_ENTITIES, type SearchAnswer, type SearchMeta, type SearchMode } from '../contract/search.ts';
import { prefixTerms } from '../domain/search-text/query-terms.ts';
import { describeQuery, type SearchQuery } from '../domain/search-text/search-query.ts';
import { createMatcher, type Matcher } from '../domain/snippets/matcher.ts';
import { loadSurroundings } from '../releases/release-items.ts';
import type { Store } from '../store/store.ts';
import { threadTask } from '../threads/task.ts';
import { packageHits } from './entities/catalog-hits.ts';
import { type FoundEntities, findEntities, NO_ENTITIES } from './entities/find-entities.ts';
import { type RequestedFilters, type ResolvedFilters, resolveFilters } from './filters/resolve-filters.ts';
import { chunkHits, releaseHits } from './hybrid/page-hits.ts';
import { type RankedList, rankedList } from './hybrid/ranked-list.ts';
import { onThread, readingContext, type SearchDone, type SearchPart, type SearchWork } from './search-connection.ts';

export interface SearchInput {
  // The text as typed: white space at its end means that the last word is complete.
  q: string;
  mode: SearchMode;
  limit: number;
  offset: number;
  filters?: RequestedFilters;
  includeContent?: boolean;
  // Snippets are for people: sentences whose code spans stay between their delimiters.
  codeMarks?: boolean;
  // The answer holds no chunks and no entities; entities only help to find releases.
  releasesOnly?: boolean;
}

interface FoundAnswer {
  // Without the hint of a lookup.
  answer: Omit<SearchAnswer, '_meta'>;
  meta: Omit<SearchMeta, 'tookMs'>;
  degraded: RankedList['degraded'];
  // A filter names an entity that does not exist.
  isUnknown: boolean;
}

export const WHOLE_SEARCH: SearchPart<SearchInput, FoundAnswer> = {
  here: findAnswer,
  task: threadTask(import.meta.url, findOnThread),
};

export function findOnThread(work: SearchWork<SearchInput>): Promise<SearchDone<FoundAnswer>> {
  return onThread(work, findAnswer);
}

async function findAnswer(ctx: Context, input: SearchInput): Promise<FoundAnswer> {
  const filters = await resolveFilters(readingContext(ctx), input.filters ?? {});
  const sections = filters.unknown ? nothingFound(input) : await findSections(ctx, input, filters);
  const { list, ...found } = sections;
  const answer = {
    query: input.q.trim(),
    ...filters.echoes,
    ...found,
    ...(input.mode === 'lexical' ? {} : { mode: input.mode, ...degradation(list) }),
  };
  return { answer, meta: metaOf(input, sections), degraded: list.degraded, isUnknown: filters.unknown };
}

interface Sections extends FoundEntities {
  packages: SearchAnswer['packages'];
  releases: SearchAnswer['releases'];
  chunks?: SearchAnswer['chunks'];
  lookup: SearchAnswer['lookup'];
  list: RankedList;
}

async function findSections(ctx: Context, input: SearchInput, filters: ResolvedFilters): Promise<Sections> {
  const reading = readingContext(ctx);
  const query = describeQuery(input.q);
  const { scope } = filters;
  const entities = findEntities(reading, { text: input.q, scope });
  const [found, packages, list] = await Promise.all([
    entities,
    // The list takes longest, so its first statements do not wait behind the names of packages.
    input.releasesOnly ? [] : entities.then(() => packageHits(reading, { text: input.q, scope })),
    filters.nothing ? emptyList(input.mode) : listOf(ctx, { input, query, entities, filters }),
  ]);
  const { releases, chunks } = await pageOf(reading, input, { query, list });
  return { packages, ...found, releases, ...(input.mode === 'lexical' ? {} : { chunks }), lookup: null, list };
}

// Reads the rows of the requested page.
async function pageOf(
  ctx: Context,
  { offset, limit, includeContent = false, codeMarks = false }: SearchInput,
  { query, list }: { query: SearchQuery; list: RankedList },
): Promise<Required<Pick<Sections, 'releases' | 'chunks'>>> {
  const candidates = list.candidates.slice(offset, offset + limit);
  const matcher = matcherOf(query);
  const surroundings = loadSurroundings(
    ctx,
    candidates.map(({ candidate }) => candidate.sourceId),
  );
  const [releases, chunks] = await Promise.all([
    releaseHits(ctx, candidates, { matcher, includeContent, codeMarks, surroundings }),
    chunkHits(ctx, candidates, { matcher, codeMarks, surroundings }),
  ]);
  return { releases, chunks };
}

interface ListRequest {
  input: SearchInput;
  query: SearchQuery;
  entities: Promise<FoundEntities>;
  filters: ResolvedFilters;
}

function listOf(ctx: Context, { input, query, entities, filters }: ListRequest): Promise<RankedList> {
  const { q, mode, releasesOnly = false } = input;
  const { filter, scope } = filters;
  const chunks = !releasesOnly;
  return cachedList(ctx, [q, mode, filter, scope, chunks], () => {
    const text = query.number?.rest ?? '';
    const besideNumber = text === '' ? null : () => findEntities(readingContext(ctx), { text, scope });
    return rankedList(ctx, { q, query, mode, filter, chunks, entities, besideNumber });
  });
}

function emptyList(mode: SearchMode): RankedList {
  return { candidates: [], cut: false, lexicalHits: 0, unknownWords: [], mode, ranking: 'full', degraded: null };
}

function nothingFound({ mode }: SearchInput): Sections {
  const list = emptyList(mode);
  return {
    packages: [],
    ...NO_ENTITIES,
    releases: [],
    ...(mode === 'lexical' ? {} : { chunks: [] }),
    lookup: null,
    list,
  };
}

// Words that begin with the unfinished last word are highlighted too.
function matcherOf(query: SearchQuery): Matcher {
  return createMatcher(
    query.groups.map(({ terms, unfinished }) => (unfinished === null ? terms : [...terms, ...prefixTerms(unfinished)])),
  );
}

function degradation({ degraded }: RankedList): Pick<SearchAnswer, 'degraded' | 'degradedReason'> {
  return degraded === null ? { degraded: false } : { degraded: true, degradedReason: degraded };
}

function metaOf({ limit, offset }: SearchInput, sections: Sections): Omit<SearchMeta, 'tookMs'> {
  const { packages, orgs, catalog, sources, collections, releases, chunks = [], list } = sections;
  const returned = releases.length + chunks.length;
  const full = [orgs, catalog, sources, collections].some((section) => section.length >= MAX_ENTITIES);
  return {
    mode: list.mode,
    limit,
    offset,
    returned,
    hitCap: returned >= limit || full,
    hitCounts: {
      package: packages.length,
      org: orgs.length,
      catalog: catalog.length,
      source: sources.length,
      release: releases.length,
      chunk: chunks.length,
      collection: collections.length,
    },
    listed: list.candidates.length,
    listCap: list.cut,
    lexicalHits: list.lexicalHits,
    ...(list.unknownWords.length > 0 ? { unknownWords: [...list.unknownWords] } : {}),
    degraded: list.degraded !== null,
    ranking: list.ranking,
  };
}

// Caches ranked lists for the next page. A list is valid until the data or the vectors change, and for a minute at most,
// because releases with a future date may appear. Degraded lists are not cached, because the next one may be complete.

const CACHED_MS = 60_000;
const MAX_LISTS = 64;

interface CachedList {
  list: RankedList;
  at: number;
}

const caches = new WeakMap<Store, Map<string, CachedList>>();

// `name` contains everything that the list depends on, apart from the data.
async function cachedList(
  ctx: Context,
  name: readonly unknown[],
  make: () => Promise<RankedList>,
): Promise<RankedList> {
  if (ctx.tx) return make();
  const cache = caches.get(ctx.store) ?? new Map<string, CachedList>();
  caches.set(ctx.store, cache);
  const { space, counts, degraded } = ctx.ports.vectors.status();
  const key = JSON.stringify([name, ctx.store.dataVersion(), space, counts, degraded]);
  const at = ctx.clock().getTime();
  const known = cache.get(key);
  if (known && at >= known.at && at - known.at < CACHED_MS) return known.list;
  const list = await make();
  cache.delete(key);
  if (list.degraded !== null) return list;
  cache.set(key, { list, at });
  const [oldest] = cache.keys();
  if (cache.size > MAX_LISTS && oldest !== undefined) cache.delete(oldest);
  return list;
}
