// One list of releases and chunks out of all legs.
import {
  FEW_HITS,
  FEW_SHARE,
  type Fused,
  fuseRanks,
  LEG_WEIGHTS,
  LOOSE_SHARE,
  type QueryClass,
  type RankedHit,
} from '../../domain/fusion.ts';
import { tellsOf } from './chunk-releases.ts';
import type { FoundChunk } from './found-chunks.ts';
import type { FoundRelease } from './found-releases.ts';

export type Found = FoundRelease | FoundChunk;

/** What each leg found, as far as it is shown, best first. */
export interface Legs {
  lexical: readonly WordHit[];
  vector: readonly FoundRelease[];
  lexicalChunks: readonly WordHit[];
  vectorChunks: readonly FoundChunk[];
  entity: readonly FoundRelease[];
}

export interface WordHit {
  found: Found;
  /** It holds only some of the words. */
  loose: boolean;
}

export interface ListInput {
  legs: Legs;
  queryClass: QueryClass;
  embedderWeight: number;
  offset: number;
  limit: number;
}

export interface Placed {
  found: Found;
  score: number;
  /** From 1, in the whole list. */
  rank: number;
}

/** The places from `offset` on. */
export function fusedList({ legs, queryClass, embedderWeight, offset, limit }: ListInput): Placed[] {
  const weights = LEG_WEIGHTS[queryClass];
  const meaning = weights.vector * embedderWeight;
  const fused = fuseRanks(
    [
      byWords(legs.lexical, weights.lexical),
      alike(legs.vector, meaning),
      byWords(legs.lexicalChunks, weights.lexical),
      alike(legs.vectorChunks, meaning),
      alike(legs.entity, weights.entity),
    ],
    (found) => `${found.kind} ${found.seq}`,
    newestFirst,
  );
  return withoutRepeats(fused, offset + limit)
    .map(({ item, score }, index) => ({ found: item, score, rank: index + 1 }))
    .slice(offset);
}

function byWords(hits: readonly WordHit[], weight: number): RankedHit<Found>[] {
  const few = hits.filter(({ loose }) => !loose).length < FEW_HITS;
  return hits.map(({ found, loose }) => ({
    item: found,
    weight: weight * (loose ? LOOSE_SHARE : few ? FEW_SHARE : 1),
  }));
}

function alike(found: readonly Found[], weight: number): RankedHit<Found>[] {
  return found.map((item) => ({ item, weight }));
}

// Keys rise with dates; of one moment the release comes before the chunk that tells of it.
function newestFirst(a: Found, b: Found): number {
  return b.docKey - a.docKey || (a.kind === b.kind ? b.seq - a.seq : a.kind === 'release' ? -1 : 1);
}

/** The first places, without chunks that tell of a release among them. What moves up may be such a release again. */
function withoutRepeats(fused: readonly Fused<Found>[], places: number): Fused<Found>[] {
  let left = [...fused];
  for (;;) {
    const top = left.slice(0, places);
    const releases = Map.groupBy(
      top.flatMap(({ item }) => (item.kind === 'release' ? [item] : [])),
      ({ sourceId }) => sourceId,
    );
    const repeated = new Set(
      top.filter(({ item }) => {
        return item.kind === 'chunk' && releases.get(item.sourceId)?.some((release) => tellsOf(item, release));
      }),
    );
    if (repeated.size === 0) return top;
    left = left.filter((one) => !repeated.has(one));
  }
}
