// Fuses the hits of all retrievers into one list of releases and chunks.
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
  RETRIEVER_WEIGHTS,
} from '../../domain/retrieval/fusion.ts';
import type { LexicalHit } from '../../domain/retrieval/retrievers.ts';
import type { ChunkCandidate } from '../candidates/chunks.ts';
import { isSameEntry } from '../candidates/entry-releases.ts';
import type { ReleaseCandidate } from '../candidates/releases.ts';
import type { Retrieved } from './retrieve.ts';

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

export function fuse({ retrieved, adjacent, named, queryClass, embedderWeight }: FuseInput): FusedList {
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
  const entries = withoutRepeats(fused);
  const candidates = entries
    .slice(0, LIST_BOUND)
    .map(({ item, score, matchedBy }, index) => ({ candidate: item, score, matchedBy, rank: index + 1 }));
  return { candidates, cut: entries.length > LIST_BOUND };
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
