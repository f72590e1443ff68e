// Reciprocal rank fusion: several ranked lists of the same things become one. Ranks are compared, never scores, because
// the scores of words and of meaning have nothing in common.

/** How much the legs count, by what kind of query was typed. */
export type QueryClass = 'identifier' | 'name' | 'other';

export interface LegWeights {
  lexical: number;
  vector: number;
  entity: number;
}

/** `vector` is multiplied by the embedder's own weight. */
export const LEG_WEIGHTS: Record<QueryClass, LegWeights> = {
  identifier: { lexical: 1, vector: 0.2, entity: 0 },
  name: { lexical: 1, vector: 0.3, entity: 1.5 },
  other: { lexical: 1, vector: 1, entity: 0 },
};

/** Of the lexical weight, for hits that hold only some of the words. */
export const LOOSE_SHARE = 0.3;

/**
 * Of the lexical weight, for hits that hold all the words when only a few documents do. Words that hardly anything holds
 * together are what was meant, and the model has often never seen them.
 */
export const FEW_SHARE = 1.3;
/** Below it a second pass also looks for documents that hold only some of the words. */
export const FEW_HITS = 5;

const RANK_OFFSET = 60;
const MIN_DEPTH = 60;
const MAX_DEPTH = 1200;

/** How many hits each leg gives, so that the fused list is long enough for the page. */
export function legDepth({ offset, limit }: { offset: number; limit: number }): number {
  return Math.min(MAX_DEPTH, Math.max(MIN_DEPTH, 3 * (offset + limit)));
}

/** One hit of one leg; its place in the leg is its rank. */
export interface RankedHit<T> {
  item: T;
  weight: number;
}

export interface Fused<T> {
  item: T;
  score: number;
}

/**
 * Everything the legs hold, best first. `keyOf` says which hits of different legs are one; equal scores keep the order
 * that `tie` gives them.
 */
export function fuseRanks<T>(
  legs: readonly (readonly RankedHit<T>[])[],
  keyOf: (item: T) => string | number,
  tie: (a: T, b: T) => number,
): Fused<T>[] {
  const fused = new Map<string | number, Fused<T>>();
  for (const leg of legs) {
    for (const [index, { item, weight }] of leg.entries()) {
      const score = weight / (RANK_OFFSET + index + 1);
      const key = keyOf(item);
      const known = fused.get(key);
      if (known) known.score += score;
      else fused.set(key, { item, score });
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || tie(a.item, b.item));
}
