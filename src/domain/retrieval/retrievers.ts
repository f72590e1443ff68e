// What the retrievers of a search take and give, so that ranking by words, ranking by meaning and their fusion stay apart.

// An org, product or source that releases and chunks belong to.
export interface OwnerRef {
  column: 'org_id' | 'product_id' | 'source_id';
  id: string;
}

// Filters that every retriever applies before it cuts; ids, already resolved. A list means any of its values.
export interface SearchFilter {
  // Any of these orgs, products or sources owns the hit.
  owners?: readonly OwnerRef[];
  orgIds?: readonly string[];
  productIds?: readonly string[];
  sourceIds?: readonly string[];
  categories?: readonly string[];
  kinds?: readonly string[];
  sourceTypes?: readonly string[];
  excludedSourceTypes?: readonly string[];
  type?: 'feature' | 'rollup';
  breaking?: readonly string[];
  minImportance?: number;
  includePrereleases: boolean;
  includeCoverage: boolean;
  // Bounds of `publishedAt`; chunks have no date, so only releases are filtered by them.
  since?: string;
  until?: string;
}

// `every`: all words matched; `some`: found by the looser second pass, which counts less in the fusion.
export type LexicalPass = 'every' | 'some';

export interface LexicalHit<Candidate> {
  candidate: Candidate;
  // Higher is better; every hit of the second pass scores below all of the first.
  score: number;
  pass: LexicalPass;
}

export interface LexicalAnswer<Candidate> {
  hits: LexicalHit<Candidate>[];
  // Whether all matches were ranked or only the newest ones.
  ranking: 'full' | 'newest';
  // More documents match than the retriever returned.
  cut: boolean;
}

export interface VectorHit {
  // The `seq` of the release or chunk, or the number of the entity.
  key: number;
  // The id of the release or entity; of a chunk its `seq` as text.
  ref: string;
  cosine: number;
}

export type DegradedReason =
  | 'not_configured'
  | 'provider_error'
  | 'index_unavailable'
  | 'index_empty'
  | 'index_building';

// A retriever that could not answer says why; the search goes on without it.
export type VectorAnswer = { hits: VectorHit[] } | { degraded: DegradedReason };
