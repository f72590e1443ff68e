// Makes the ranked list of a query and its filters. It does not depend on the page: pages are cut from the list, which is
// cached for the next page until the data change.
import type { Context } from '../../context.ts';
import type { SearchMeta, SearchMode } from '../../contract/search.ts';
import {
  alsoMatchedBy,
  FEW_HITS,
  FEW_SHARE,
  type Fused,
  fuseRanks,
  LIST_BOUND,
  LOOSE_SHARE,
  type MatchedBy,
  type QueryClass,
  type RankedHit,
  RETRIEVER_DEPTH,
  RETRIEVER_WEIGHTS,
} from '../../domain/retrieval/fusion.ts';
import type { DegradedReason, LexicalHit, OwnerRef, SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { dealInTurns } from '../../domain/retrieval/turns.ts';
import { mustOccur, type SearchQuery } from '../../domain/search-text/search-query.ts';
import type { ChunkCandidate } from '../candidates/chunks.ts';
import { isSameEntry } from '../candidates/chunks.ts';
import { newestReleases, type ReleaseCandidate } from '../candidates/releases.ts';
import type { FoundEntities } from '../entities/find-entities.ts';
import { RELEASE_CORPUS } from '../lexical/collect-candidates.ts';
import { holding } from '../lexical/search.ts';
import { type NamedOwner, type QueryReading, readNumber } from './read-number.ts';
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
  const byName = isUnmatched(retrieved) ? await newestReleases(ctx, named, newest) : first;
  const ofName = await holding(ctx, { corpus: RELEASE_CORPUS, filter, groups: query.groups.filter(mustOccur) }, byName);
  return listOf(ctx, { retrieved, queryClass, adjacent, ofName });
}

const NO_HITS: QueryReading['adjacent'] = Promise.resolve([]);

async function readingOf(ctx: Context, input: RankedListInput): Promise<QueryReading> {
  const { query, mode, besideNumber } = input;
  const includePrereleases = input.filter.includePrereleases || query.prerelease;
  const filter: SearchFilter = { ...input.filter, includePrereleases };
  const plain: QueryReading = { query, filter, queryClass: null, adjacent: NO_HITS };
  if (besideNumber === null || mode === 'semantic') return plain;
  // `Studio 54` may be a name as a whole.
  if (namedBy(await input.entities).some(({ tier }) => tier === 0)) return plain;
  return readNumber(ctx, plain, namedBy(await besideNumber()));
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

// The orgs, products and sources that a text names, of all that it finds.

// A text names an entity of tier 0 (equal name) or 1 (the name begins with the text).
const LAST_NAME_TIER = 1;

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

// Fuses the hits of all retrievers into one list of releases and chunks.

type ListCandidate = ReleaseCandidate | ChunkCandidate;

interface FuseInput {
  retrieved: Pick<Retrieved, 'wordReleases' | 'wordChunks' | 'vectorReleases' | 'vectorChunks'>;
  // Releases with the number of the query right behind its name.
  adjacent: readonly LexicalHit<ReleaseCandidate>[];
  // The newest releases of the entities that the query names.
  named: readonly ReleaseCandidate[];
  queryClass: QueryClass;
  embedderWeight: number;
}

export interface ListedCandidate {
  candidate: ListCandidate;
  score: number;
  matchedBy: MatchedBy;
  // The rank in the whole list, from 1.
  rank: number;
}

interface FusedList {
  candidates: ListedCandidate[];
  // True when more was found than the list can hold.
  cut: boolean;
}

function fuse({ retrieved, adjacent, named, queryClass, embedderWeight }: FuseInput): FusedList {
  const weights = RETRIEVER_WEIGHTS[queryClass];
  const meaning = weights.vector * embedderWeight;
  const fused = fuseRanks<ListCandidate>(
    [
      { source: 'words', hits: byWords(retrieved.wordReleases, weights.lexical) },
      { source: 'meaning', hits: weighed(retrieved.vectorReleases, meaning) },
      { source: 'words', hits: byWords(retrieved.wordChunks, weights.lexical) },
      { source: 'meaning', hits: weighed(retrieved.vectorChunks, meaning) },
      { source: 'words', hits: byWords(adjacent, weights.lexical) },
      { source: 'name', hits: weighed(named, weights.entity) },
    ],
    // Numbers are found faster than texts; those of chunks are made negative.
    ({ kind, seq }) => (kind === 'release' ? seq : -1 - seq),
    newestFirst,
  );
  const entries = dealInTurns(withoutRepeats(fused), ROWS_IN_TURN, packageOf);
  const candidates = entries
    .slice(0, LIST_BOUND)
    .map(({ item, score, matchedBy }, index) => ({ candidate: item, score, matchedBy, rank: index + 1 }));
  return { candidates, cut: entries.length > LIST_BOUND };
}

// Of one package before others had their turn.
const ROWS_IN_TURN = 3;

function packageOf({ item }: Fused<ListCandidate>): string {
  return JSON.stringify([item.sourceId, item.kind === 'release' ? item.packagePart : null]);
}

function byWords(hits: readonly LexicalHit<ListCandidate>[], weight: number): RankedHit<ListCandidate>[] {
  const few = hits.filter(({ pass }) => pass === 'every').length < FEW_HITS;
  return hits.map(({ candidate, pass }) => ({
    item: candidate,
    weight: weight * (pass === 'some' ? LOOSE_SHARE : few ? FEW_SHARE : 1),
  }));
}

function weighed(candidates: readonly ListCandidate[], weight: number): RankedHit<ListCandidate>[] {
  return candidates.map((item) => ({ item, weight }));
}

// Sorts by key, which rises with the date; a release comes before the chunk of the same entry.
function newestFirst(a: ListCandidate, b: ListCandidate): number {
  return b.docKey - a.docKey || (a.kind === b.kind ? b.seq - a.seq : a.kind === 'release' ? -1 : 1);
}

// Lists each entry once, as its release, with the better rank of release and chunk and with how both were found.
function withoutRepeats(fused: readonly Fused<ListCandidate>[]): Fused<ListCandidate>[] {
  if (!fused.some(({ item }) => item.kind === 'chunk')) return [...fused];
  const releases = Map.groupBy(
    fused.filter((one): one is Fused<ReleaseCandidate> => one.item.kind === 'release'),
    ({ item }) => item.sourceId,
  );
  const repeated = new Set<Fused<ListCandidate>>();
  const best = new Map<Fused<ListCandidate>, Fused<ListCandidate>>();
  for (const one of fused) {
    const { item } = one;
    if (item.kind !== 'chunk') continue;
    const release = releases.get(item.sourceId)?.find((other) => isSameEntry(item, other.item));
    if (!release) continue;
    repeated.add(one);
    const known = best.get(release) ?? release;
    const matchedBy = alsoMatchedBy(known.matchedBy, one.matchedBy);
    best.set(release, { item: release.item, score: Math.max(known.score, one.score), matchedBy });
  }
  if (repeated.size === 0) return [...fused];
  return fused
    .filter((one) => !repeated.has(one))
    .map((one) => best.get(one) ?? one)
    .sort((a, b) => b.score - a.score || newestFirst(a.item, b.item));
}
