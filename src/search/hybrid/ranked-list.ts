// Makes the ranked list of a query and its filters. It does not depend on the page: pages are cut from the list, which is
// cached for the next page until the data change.
import type { Context } from '../../context.ts';
import type { SearchMeta, SearchMode } from '../../contract/search.ts';
import { type QueryClass, RETRIEVER_DEPTH } from '../../domain/retrieval/fusion.ts';
import type { DegradedReason, OwnerRef, SearchFilter } from '../../domain/retrieval/retrievers.ts';
import type { SearchQuery } from '../../domain/search-text/search-query.ts';
import { newestReleases, type ReleaseCandidate } from '../candidates/releases.ts';
import type { FoundEntities } from '../entities/find-entities.ts';
import { fuse, type ListedCandidate } from './fuse.ts';
import { namedBy } from './named-owners.ts';
import { type QueryReading, readNumber } from './read-number.ts';
import { type Retrieved, retrieve } from './retrieve.ts';

interface RankedListInput {
  q: string;
  query: SearchQuery;
  mode: SearchMode;
  filter: SearchFilter;
  chunks: boolean;
  // Entities that the text names, searched at the same time as the retrievers run.
  entities: Promise<FoundEntities>;
  // Entities that the text names when its version number is left out.
  besideNumber: Promise<FoundEntities> | null;
}

export interface RankedList {
  candidates: readonly ListedCandidate[];
  // True when there are more matches than the list holds.
  cut: boolean;
  // How many entries of the list the lexical retrievers found.
  lexicalHits: number;
  // Words of the query that nothing holds.
  unknownWords: readonly string[];
  mode: SearchMode;
  ranking: SearchMeta['ranking'];
  degraded: DegradedReason | null;
}

export async function rankedList(ctx: Context, input: RankedListInput): Promise<RankedList> {
  const { q, mode, chunks } = input;
  const { query, filter, queryClass: decided, adjacent } = await readingOf(ctx, input);
  const classified: Promise<ClassifiedQuery> =
    decided === null
      ? input.entities.then((entities) => classifyQuery(entities, query.hardIdentifier))
      : Promise.resolve({ queryClass: decided, named: [] });
  const newest = { filter, limit: RETRIEVER_DEPTH };
  const [retrieved, { queryClass, named }, first] = await Promise.all([
    retrieve(ctx, { q, query, mode, filter, chunks }),
    classified,
    // Only releases of the best match are added, not those of every entity whose name begins alike.
    mode === 'hybrid' ? classified.then((known) => newestReleases(ctx, known.named.slice(0, 1), newest)) : [],
  ]);
  const ofName = isUnmatched(retrieved) ? await newestReleases(ctx, named, newest) : first;
  return listOf(ctx, { retrieved, queryClass, adjacent, ofName });
}

async function readingOf(ctx: Context, input: RankedListInput): Promise<QueryReading> {
  const { query, mode, besideNumber } = input;
  const includePrereleases = input.filter.includePrereleases || query.prerelease;
  const filter: SearchFilter = { ...input.filter, includePrereleases };
  if (besideNumber === null || mode === 'semantic') return { query, filter, queryClass: null, adjacent: [] };
  return readNumber(ctx, { query, filter }, await besideNumber);
}

function isUnmatched({ wordReleases, mode }: Retrieved): boolean {
  return wordReleases.length === 0 && mode !== 'semantic';
}

interface FusionInput {
  retrieved: Retrieved;
  queryClass: ClassifiedQuery['queryClass'];
  adjacent: QueryReading['adjacent'];
  ofName: readonly ReleaseCandidate[];
}

function listOf(ctx: Context, { retrieved, queryClass, adjacent, ofName }: FusionInput): RankedList {
  const embedderWeight = ctx.ports.vectors.status().weight;
  const { candidates, cut } = fuse({ retrieved, adjacent, named: ofName, queryClass, embedderWeight });
  const { mode, ranking, degraded, unknownWords } = retrieved;
  const filled = ofName.length >= RETRIEVER_DEPTH;
  const lexicalHits = candidates.filter(({ matchedBy }) => matchedBy === 'words' || matchedBy === 'both').length;
  return { candidates, cut: cut || filled || retrieved.cut, lexicalHits, unknownWords, mode, ranking, degraded };
}

interface ClassifiedQuery {
  queryClass: QueryClass;
  // Owners that the query names, best first; of equal tiers the larger entity comes first.
  named: OwnerRef[];
}

function classifyQuery(entities: FoundEntities, hardIdentifier: boolean): ClassifiedQuery {
  const named = namedBy(entities);
  const best = named[0]?.tier;
  // A query that looks like a version or a package counts as a name only when a whole name equals it, never as its
  // beginning.
  if (best !== undefined && (best === 0 || !hardIdentifier)) return { queryClass: 'name', named };
  return { queryClass: hardIdentifier ? 'identifier' : 'other', named: [] };
}
