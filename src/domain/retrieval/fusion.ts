// Reciprocal rank fusion: several ranked lists of the same things become one. Ranks are compared, never scores, because
// the scores of words and of meaning have nothing in common.

// The kind of query decides how much each retriever counts.
export type QueryClass = 'identifier' | 'name' | 'other';

interface RetrieverWeights {
  lexical: number;
  vector: number;
  entity: number;
}

// `vector` is multiplied by the embedder's own weight.
export const RETRIEVER_WEIGHTS: Record<QueryClass, RetrieverWeights> = {
  identifier: { lexical: 1, vector: 0.2, entity: 0 },
  name: { lexical: 1, vector: 0.3, entity: 1.5 },
  other: { lexical: 1, vector: 1, entity: 0 },
};

// The share of the lexical weight that hits with only some of the words get.
export const LOOSE_SHARE = 0.3;

// The share of the lexical weight that hits with all the words get when only a few documents have them all: rare
// combinations are likely to be what was meant, and the model has often never seen them.
export const FEW_SHARE = 1.3;
// With fewer hits, a second pass also looks for documents that hold only some of the words.
export const FEW_HITS = 5;

const RANK_OFFSET = 60;

// The most hits of one retriever. It does not depend on the requested page, because all pages are cut from one list.
export const RETRIEVER_DEPTH = 256;
// The longest fused list.
export const LIST_BOUND = 1_000;

// Below this cosine two texts are not taken to mean the same. Measured with the local model on the judged queries: what is asked for
// lies above it wherever meaning places it among the first ten (but for 1 of 733), and nine of ten unrelated documents lie
// below.
const MIN_COSINE = 0.15;
// The same bound for a query that names something that no document holds: the best unrelated document lies below it for 19 of 20
// queries, and for nine of ten identifiers that stand alone.
const MIN_COSINE_UNKNOWN = 0.55;

interface QueryKnowledge {
  // How many words the query has, and how many of them nothing holds.
  words: { all: number; unknown: number };
  // A name of the query occurs nowhere.
  identifierMissing: boolean;
}

// How near in meaning a document must be to be listed. The model puts words that it has never seen near to anything: of twelve
// queries of words that nothing holds the best document lay between 0.20 and 0.49, that of a true paraphrase at 0.65.
export function leastCosine({ words, identifierMissing }: QueryKnowledge): number {
  const isUnknown = words.all > 0 && words.unknown === words.all;
  return identifierMissing || isUnknown ? MIN_COSINE_UNKNOWN : MIN_COSINE;
}

// How a hit was found: by its words, by its meaning, or as one of the newest of what the query names.
export type MatchSource = 'words' | 'meaning' | 'name';
export const MATCHED_BY = ['words', 'meaning', 'both', 'name'] as const;
export type MatchedBy = (typeof MATCHED_BY)[number];

// One hit of one retriever; its position in the list is its rank.
export interface RankedHit<T> {
  item: T;
  weight: number;
}

interface RetrievedList<T> {
  source: MatchSource;
  hits: readonly RankedHit<T>[];
}

export interface Fused<T> {
  item: T;
  score: number;
  matchedBy: MatchedBy;
}

// The hits of all retrievers, best first. Hits of different lists with the same `keyOf` are one hit; `tie` orders equal
// scores.
export function fuseRanks<T>(
  lists: readonly RetrievedList<T>[],
  keyOf: (item: T) => string | number,
  tie: (a: T, b: T) => number,
): Fused<T>[] {
  const fused = new Map<string | number, Fused<T>>();
  for (const { source, hits } of lists) {
    for (const [index, { item, weight }] of hits.entries()) {
      const score = weight / (RANK_OFFSET + index + 1);
      const key = keyOf(item);
      const known = fused.get(key);
      if (known) {
        known.score += score;
        known.matchedBy = alsoMatchedBy(known.matchedBy, source);
      } else fused.set(key, { item, score, matchedBy: source });
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || tie(a.item, b.item));
}

// A match by name is the weakest: hits that words or meaning found too are reported as found by those.
export function alsoMatchedBy(known: MatchedBy, more: MatchedBy): MatchedBy {
  if (known === more || more === 'name') return known;
  return known === 'name' ? more : 'both';
}
