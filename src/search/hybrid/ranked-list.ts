// Makes the ranked list of a query and its filters. It does not depend on the page: pages are cut from the list, which is
// cached for the next page until the data change.
import type { Context } from '../../context.ts';
import type { SearchMeta, SearchMode } from '../../contract/search.ts';
import { isWholeName } from '../../domain/entity-names/entity-names.ts';
import { type QueryClass, RETRIEVER_DEPTH } from '../../domain/retrieval/fusion.ts';
import type { DegradedReason, LexicalHit, OwnerRef, SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { asNumberBehind, asVersionOf, type SearchQuery } from '../../domain/search-text/search-query.ts';
import { newestReleases, type ReleaseCandidate } from '../candidates/releases.ts';
import type { FoundEntities } from '../entities/find-entities.ts';
import { isAnyRelease, searchReleases } from '../lexical/search.ts';
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
  // Finds the entities that the text names when its version number is left out; null for a text without one.
  besideNumber: (() => Promise<FoundEntities>) | null;
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
  const { query, filter, queryClass: decided, adjacent: behind } = await readingOf(ctx, input);
  const classified: Promise<ClassifiedQuery> =
    decided === null
      ? input.entities.then((entities) => classifyQuery(entities, query.hardIdentifier))
      : Promise.resolve({ queryClass: decided, named: [] });
  const newest = { filter, limit: RETRIEVER_DEPTH };
  const [retrieved, { queryClass, named }, adjacent, first] = await Promise.all([
    retrieve(ctx, { q, query, mode, filter, chunks }),
    classified,
    behind,
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
  const plain: QueryReading = { query, filter, queryClass: null, adjacent: NONE_ADJACENT };
  if (besideNumber === null || mode === 'semantic') return plain;
  // `Studio 54` may be a name as a whole.
  if (namedBy(await input.entities).some(({ tier }) => tier === 0)) return plain;
  return readNumber(ctx, plain, await besideNumber());
}

function isUnmatched({ wordReleases, mode }: Retrieved): boolean {
  return wordReleases.length === 0 && mode !== 'semantic';
}

interface FusionInput {
  retrieved: Retrieved;
  queryClass: ClassifiedQuery['queryClass'];
  adjacent: Awaited<QueryReading['adjacent']>;
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

// Reads the number of a query such as `react 19`: as a version of what is named beside it when that has such a version, otherwise
// as a word of the notes.

interface QueryReading {
  query: SearchQuery;
  filter: SearchFilter;
  // Set when the number decides how much words and meaning count.
  queryClass: QueryClass | null;
  // Releases that have the number right behind the name, which are better than those that have both somewhere.
  adjacent: Promise<readonly LexicalHit<ReleaseCandidate>[]>;
}

const NONE_ADJACENT: QueryReading['adjacent'] = Promise.resolve([]);

async function readNumber(ctx: Context, asWord: QueryReading, besideNumber: FoundEntities): Promise<QueryReading> {
  const { query, filter } = asWord;
  const { number } = query;
  if (number === null) return asWord;
  const asVersion = (owners: readonly OwnerRef[]): QueryReading => {
    return {
      query: asVersionOf({ ...query, number }),
      filter: { ...filter, owners },
      queryClass: 'identifier',
      adjacent: NONE_ADJACENT,
    };
  };
  const { whole, beginning } = ownersBeside(besideNumber, number.rest);
  // Without a name beside it the number says nothing about how the words are to be weighed.
  if (whole.length === 0 && beginning.length === 0) return asWord;
  for (const owners of whole) if (await isAnyRelease(ctx, asVersion(owners))) return asVersion(owners);
  // `eslint 9` is rather about ESLint 9 in any note than about version 9 of something whose name only begins with it.
  if (beginning.length > 0 && !(await isAnyRelease(ctx, asWord)) && (await isAnyRelease(ctx, asVersion(beginning)))) {
    return asVersion(beginning);
  }
  const behind = { query: asNumberBehind({ ...query, number }), filter, identifierMissing: Promise.resolve(true) };
  const adjacent = searchReleases(ctx, behind).then(({ hits }) => hits);
  // It is awaited with the retrievers, of which another may fail first.
  adjacent.catch(() => {});
  return { ...asWord, queryClass: 'identifier', adjacent };
}

// Owners in the order in which they are asked for the version: what has exactly this name before a whole org of this name.
function ownersBeside(found: FoundEntities, text: string): { whole: OwnerRef[][]; beginning: OwnerRef[] } {
  const named = namedBy(found).filter(({ tier }) => tier <= LAST_NAME_TIER);
  const isWhole = ({ tier, name }: { tier: number; name: string }) => tier === 0 || isWholeName(name, text);
  const refs = (list: typeof named) => list.map(({ column, id }): OwnerRef => ({ column, id }));
  const whole = named.filter(isWhole);
  const orgs = whole.filter(({ column }) => column === 'org_id');
  const others = whole.filter(({ column }) => column !== 'org_id');
  return {
    whole: [others, orgs].filter((list) => list.length > 0).map(refs),
    beginning: refs(named.filter((one) => !isWhole(one))),
  };
}

// The orgs, products and sources that a text names, of all that it finds.

// A text names an entity of tier 0 (equal name) or 1 (the name begins with the text).
const LAST_NAME_TIER = 1;

interface NamedOwner extends OwnerRef {
  tier: number;
  name: string;
}

// Best first; of equal tiers the larger entity comes first.
function namedBy({ orgs, catalog, sources }: FoundEntities): NamedOwner[] {
  const products = catalog.filter(({ entryType }) => entryType === 'product');
  const all: NamedOwner[] = [
    ...orgs.map(({ id, tier, name }) => ({ column: 'org_id' as const, id, tier, name })),
    ...products.map(({ id, tier, name }) => ({ column: 'product_id' as const, id, tier, name })),
    ...sources.map(({ id, tier, name }) => ({ column: 'source_id' as const, id, tier, name })),
  ];
  return all.filter(({ tier }) => tier <= LAST_NAME_TIER).sort((a, b) => a.tier - b.tier);
}
