// The data of a search evaluation: sources with releases, and queries with known answers.
import type { Grades } from './metrics.ts';

export interface EvalRelease {
  // Unique in the set.
  key: string;
  title: string;
  version: string | null;
  content: string;
  publishedAt: string | null;
}

export interface EvalSource {
  name: string;
  releases: EvalRelease[];
}

// `identifier`: one release holds that very name; `name`: all releases of a source; `words`: rare words that stand
// together; `paraphrase`: other words for the same; `concept`: judged by a person.
const QUERY_SORTS = ['identifier', 'name', 'words', 'paraphrase', 'concept'] as const;
export type QuerySort = (typeof QUERY_SORTS)[number];

export interface JudgedQuery {
  query: string;
  sort: QuerySort;
  grades: Grades;
}

export interface JudgedSet {
  sources: EvalSource[];
  queries: JudgedQuery[];
}
