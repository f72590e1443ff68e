// Makes the ranked list of a query and its filters. It does not depend on the page: pages are cut from the list, which is
// cached for the next page until the data change.
import type { Context } from '../../context.ts';
import type { SearchMeta, SearchMode } from '../../contract/search.ts';
import { type QueryClass, RETRIEVER_DEPTH } from '../../domain/retrieval/fusion.ts';
import type { DegradedReason, OwnerRef, SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { asVersionOf, type SearchQuery } from '../../domain/search-text/search-query.ts';
import { newestReleases, type ReleaseCandidate } from '../candidates/releases.ts';
import type { FoundEntities } from '../entities/find-entities.ts';
import { fuse, type ListedCandidate } from './fuse.ts';
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
  mode: SearchMode;
  ranking: SearchMeta['ranking'];
  degraded: DegradedReason | null;
}

export async function rankedList(ctx: Context, input: RankedListInput): Promise<RankedList> {
  const { q, mode, chunks } = input;
  const { query, filter } = await readNumber(input);
  const classified: Promise<ClassifiedQuery> =
    query === input.query
      ? input.entities.then((entities) => classifyQuery(entities, query.hardIdentifier))
      : Promise.resolve({ queryClass: 'identifier', named: [] });
  const newest = { filter, limit: RETRIEVER_DEPTH };
  const [retrieved, { queryClass, named }, first] = await Promise.all([
    retrieve(ctx, { q, query, mode, filter, chunks }),
    classified,
    // Only releases of the best match are added, not those of every entity whose name begins alike.
    mode === 'hybrid' ? classified.then((known) => newestReleases(ctx, known.named.slice(0, 1), newest)) : [],
  ]);
  const ofName = isUnmatched(retrieved) ? await newestReleases(ctx, named, newest) : first;
  return listOf(ctx, { retrieved, queryClass, ofName });
}

// `react 19` asks for versions of react; with any other word in the query the number is a word of the notes.
async function readNumber(input: RankedListInput): Promise<{ query: SearchQuery; filter: SearchFilter }> {
  const { query, mode, besideNumber } = input;
  const includePrereleases = input.filter.includePrereleases || query.prerelease;
  const filter: SearchFilter = { ...input.filter, includePrereleases };
  const { number } = query;
  if (number === null || besideNumber === null || mode === 'semantic') return { query, filter };
  const owners = bestNamed(await besideNumber);
  return owners.length === 0
    ? { query, filter }
    : { query: asVersionOf({ ...query, number }), filter: { ...filter, owners } };
}

function isUnmatched({ wordReleases, mode }: Retrieved): boolean {
  return wordReleases.length === 0 && mode !== 'semantic';
}

interface FusionInput {
  retrieved: Retrieved;
  queryClass: ClassifiedQuery['queryClass'];
  ofName: readonly ReleaseCandidate[];
}

function listOf(ctx: Context, { retrieved, queryClass, ofName }: FusionInput): RankedList {
  const embedderWeight = ctx.ports.vectors.status().weight;
  const { candidates, cut } = fuse({ retrieved, named: ofName, queryClass, embedderWeight });
  const { mode, ranking, degraded } = retrieved;
  const filled = ofName.length >= RETRIEVER_DEPTH;
  const lexicalHits = candidates.filter(({ matchedBy }) => matchedBy === 'words' || matchedBy === 'both').length;
  return { candidates, cut: cut || filled || retrieved.cut, lexicalHits, mode, ranking, degraded };
}

// A query names an entity of tier 0 (equal name) or 1 (the name begins with the query).
const LAST_NAME_TIER = 1;

interface NamedOwner extends OwnerRef {
  tier: number;
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

// Entities with exactly this name; if there are none, those whose names begin with it.
function bestNamed(entities: FoundEntities): OwnerRef[] {
  const named = namedBy(entities);
  return named.filter(({ tier }) => tier === named[0]?.tier).map(({ column, id }) => ({ column, id }));
}

function namedBy({ orgs, catalog, sources }: FoundEntities): NamedOwner[] {
  const products = catalog.filter(({ entryType }) => entryType === 'product');
  const all: NamedOwner[] = [
    ...orgs.map(({ id, tier }) => ({ column: 'org_id' as const, id, tier })),
    ...products.map(({ id, tier }) => ({ column: 'product_id' as const, id, tier })),
    ...sources.map(({ id, tier }) => ({ column: 'source_id' as const, id, tier })),
  ];
  return all.filter(({ tier }) => tier <= LAST_NAME_TIER).sort((a, b) => a.tier - b.tier);
}
