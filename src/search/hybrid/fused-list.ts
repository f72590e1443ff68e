// One list of releases and chunks out of all legs.
import {
  type Fused,
  fuseRanks,
  LEG_WEIGHTS,
  LOOSE_SHARE,
  type QueryClass,
  type RankedHit,
} from '../../domain/fusion.ts';
import type { LexicalHit, VectorHit } from '../../domain/search-legs.ts';
import { tellsOf } from './chunk-releases.ts';
import type { FoundChunk } from './found-chunks.ts';
import type { FoundRelease } from './found-releases.ts';

export type Found = FoundRelease | FoundChunk;

/** What each leg found, as far as it is shown, best first. */
export interface Legs {
  lexical: readonly Hit[];
  vector: readonly Hit[];
  lexicalChunks: readonly Hit[];
  vectorChunks: readonly Hit[];
  entity: readonly FoundRelease[];
}

export interface Hit {
  found: Found;
  /** It holds only some of the words. */
  loose: boolean;
}

export function lexicalHits<T extends Found>(hits: readonly LexicalHit[], found: ReadonlyMap<number, T>): Hit[] {
  return hits.flatMap(({ docKey, pass }) => {
    const one = found.get(docKey);
    return one ? [{ found: one, loose: pass === 'some' }] : [];
  });
}

export function vectorHits<T extends Found>(hits: readonly VectorHit[], found: ReadonlyMap<number, T>): Hit[] {
  return hits.flatMap(({ key }) => {
    const one = found.get(key);
    return one ? [{ found: one, loose: false }] : [];
  });
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
  const words = (hits: readonly Hit[]) => weighted(hits, weights.lexical);
  const meaning = (hits: readonly Hit[]) => weighted(hits, weights.vector * embedderWeight);
  const entity = legs.entity.map((found) => ({ found, loose: false }));
  const fused = fuseRanks(
    [
      words(legs.lexical),
      meaning(legs.vector),
      words(legs.lexicalChunks),
      meaning(legs.vectorChunks),
      weighted(entity, weights.entity),
    ],
    (found) => `${found.kind} ${found.seq}`,
    newestFirst,
  );
  return withoutRepeats(fused, offset + limit)
    .map(({ item, score }, index) => ({ found: item, score, rank: index + 1 }))
    .slice(offset);
}

function weighted(hits: readonly Hit[], weight: number): RankedHit<Found>[] {
  return hits.map(({ found, loose }) => ({ item: found, weight: loose ? weight * LOOSE_SHARE : weight }));
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
