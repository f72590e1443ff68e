// The search: what the text names, what the words find and what is meant, in one answer.
import { sourcesOfCoordinate } from '../catalog/lookups/by-coordinate.ts';
import { loadSurroundings } from '../catalog/releases/surroundings.ts';
import type { Context } from '../context.ts';
import { MOST_ENTITIES, type SearchAnswer, type SearchMeta, type SearchMode } from '../contract/search.ts';
import { prefixTerms } from '../domain/search-text/query-terms.ts';
import { describeQuery, type SearchQuery } from '../domain/search-text/search-query.ts';
import { createMatcher, type Matcher } from '../domain/snippets/matcher.ts';
import { githubCoordinate } from '../domain/urls.ts';
import { noteDegraded } from './degraded.ts';
import { type FoundEntities, findEntities, NO_ENTITIES } from './entities/find-entities.ts';
import { type ResolvedFilters, resolveFilters, type SearchFilters } from './filters/resolve-filters.ts';
import { chunkHits } from './hybrid/chunk-hits.ts';
import { type RankedList, rankedList } from './hybrid/ranked-list.ts';
import { releaseHits } from './hybrid/release-hits.ts';
import { readingContext } from './reading.ts';
import { countSearch } from './search-log.ts';

export interface SearchInput {
  /** As typed: white space at the end says that the last word is whole. */
  q: string;
  mode: SearchMode;
  limit: number;
  offset: number;
  filters?: SearchFilters;
  includeContent?: boolean;
  /** No chunks take places of releases, and entities only help to find them. */
  releasesOnly?: boolean;
}

export async function searchRegistry(ctx: Context, input: SearchInput): Promise<SearchAnswer> {
  const started = ctx.clock().getTime();
  const q = input.q.trim();
  const filters = await resolveFilters(readingContext(ctx), input.filters ?? {});
  const sections = filters.unknown ? nothingFound(input) : await findSections(ctx, input, filters);
  const { list, ...found } = sections;
  noteDegraded(ctx, list.degraded);
  const tookMs = Math.max(0, ctx.clock().getTime() - started);
  const meta = { ...metaOf(input, sections), tookMs };
  countSearch(ctx, { query: q, mode: list.mode, hits: meta.returned, took_ms: tookMs });
  return {
    query: q,
    ...filters.echoes,
    ...found,
    ...(input.mode === 'lexical' ? {} : { mode: input.mode, ...degradation(list) }),
    _meta: { search: meta },
  };
}

type List = Omit<RankedList, 'placed'>;

interface Sections extends FoundEntities {
  releases: SearchAnswer['releases'];
  chunks?: SearchAnswer['chunks'];
  lookup: SearchAnswer['lookup'];
  list: List;
}

async function findSections(ctx: Context, input: SearchInput, filters: ResolvedFilters): Promise<Sections> {
  const reading = readingContext(ctx);
  const query = describeQuery(input.q);
  const entities = findEntities(reading, { text: input.q, scope: filters.scope });
  const [found, lookup, list] = await Promise.all([
    entities,
    lookupHint(reading, input),
    filters.nothing ? emptyList(input.mode) : listOf(ctx, { input, query, entities, filters }),
  ]);
  const matcher = matcherOf(query);
  const { placed, ...how } = list;
  const releases = placed.flatMap(({ found: hit, ...place }) =>
    hit.kind === 'release' ? [{ id: hit.id, ...place }] : [],
  );
  const chunks = placed.flatMap(({ found: hit, ...place }) => (hit.kind === 'chunk' ? [{ found: hit, ...place }] : []));
  const surroundings = loadSurroundings(
    reading,
    placed.map(({ found: hit }) => hit.sourceId),
  );
  const { includeContent = false } = input;
  const [releaseSection, chunkSection] = await Promise.all([
    releaseHits(reading, releases, { matcher, includeContent, surroundings }),
    chunkHits(reading, chunks, { matcher, surroundings }),
  ]);
  return {
    ...found,
    releases: releaseSection,
    ...(input.mode === 'lexical' ? {} : { chunks: chunkSection }),
    lookup,
    list: how,
  };
}

interface Asked {
  input: SearchInput;
  query: SearchQuery;
  entities: Promise<FoundEntities>;
  filters: ResolvedFilters;
}

function listOf(ctx: Context, { input, query, entities, filters }: Asked): Promise<RankedList> {
  const { q, mode, offset, limit, releasesOnly = false } = input;
  const { filter } = filters;
  return rankedList(ctx, { q, query, mode, filter, offset, limit, chunks: !releasesOnly, entities });
}

function emptyList(mode: SearchMode): RankedList {
  return { placed: [], mode, ranking: 'full', degraded: null };
}

function nothingFound({ mode }: SearchInput): Sections {
  const { placed: _, ...list } = emptyList(mode);
  return { ...NO_ENTITIES, releases: [], ...(mode === 'lexical' ? {} : { chunks: [] }), lookup: null, list };
}

// What begins like an unfinished word is marked too.
function matcherOf(query: SearchQuery): Matcher {
  return createMatcher(
    query.groups.map(({ terms, unfinished }) => (unfinished === null ? terms : [...terms, ...prefixTerms(unfinished)])),
  );
}

function degradation({ degraded }: List): Pick<SearchAnswer, 'degraded' | 'degradedReason'> {
  return degraded === null ? { degraded: false } : { degraded: true, degradedReason: degraded };
}

function metaOf({ limit, offset }: SearchInput, sections: Sections): Omit<SearchMeta, 'tookMs'> {
  const { orgs, catalog, sources, collections, releases, chunks = [], list } = sections;
  const returned = releases.length + chunks.length;
  const full = [orgs, catalog, sources, collections].some((section) => section.length >= MOST_ENTITIES);
  return {
    mode: list.mode,
    limit,
    offset,
    returned,
    hitCap: returned >= limit || full,
    hitCounts: {
      org: orgs.length,
      catalog: catalog.length,
      source: sources.length,
      release: releases.length,
      chunk: chunks.length,
      collection: collections.length,
    },
    degraded: list.degraded !== null,
    ranking: list.ranking,
  };
}

const COORDINATE = /^(?:github:)?[^/:\s]+\/[^/:\s]+$/i;

/** A repository that nobody tracks could be looked up; a search does not do it. */
async function lookupHint(ctx: Context, { q, releasesOnly }: SearchInput): Promise<SearchAnswer['lookup']> {
  const text = q.trim();
  const coordinate = !releasesOnly && COORDINATE.test(text) ? githubCoordinate(text) : null;
  if (coordinate === null) return null;
  const known = await sourcesOfCoordinate(ctx, coordinate);
  return known.some(({ visible }) => visible) ? null : { provider: 'github', coordinate };
}
