import type { Dialect as KyselyDialect, RawBuilder } from 'kysely';
import type { QueryGroup } from '../domain/search-text/query-terms.ts';
import type { Queries } from './schema.ts';

// Column types as each engine spells them; text compares by bytes on both.
export interface ColumnTypes {
  text: string;
  int: string;
  real: string;
  blob: string;
}

// One document: folded texts, and terms in their stored form with blanks between them.
export interface FullTextRow {
  key: number;
  title: string;
  version: string;
  summary: string;
  content: string;
  tokens: string;
  scope: string;
}

export type FullTextColumn = 'title' | 'version' | 'summary' | 'content';

export interface FullTextQuery {
  // Every group must match by one of its terms; without a group nothing matches.
  groups: readonly QueryGroup[];
  // Where words and phrases may stand; exact terms stand in columns of their own.
  columns: readonly FullTextColumn[];
  // Exact terms that must all be present, and ones that must not.
  required: readonly string[];
  excluded: readonly string[];
  // Inclusive key range, newest first.
  minKey: number;
  maxKey: number;
  limit: number;
}

// Everything in which the two engines differ. Nothing else in the code asks which engine runs.
export interface Dialect {
  name: 'sqlite' | 'postgres';
  types: ColumnTypes;
  // Ends the DDL of a narrow table that is always read by its primary key.
  clustered: string;
  // Serialises writers on a rule that no unique index can express; held until the transaction ends.
  lock(tx: Queries, name: string): Promise<void>;
  // Ends a query that takes rows to work on: a row that another transaction has taken is passed over, not waited for.
  skipLocked: RawBuilder<unknown>;
  // A stored timestamp as seconds, for arithmetic inside a query.
  epochSeconds(column: string): RawBuilder<number>;
  // Unique rising numbers; a rolled-back transaction may leave gaps.
  nextNumbers(tx: Queries, sequence: Sequence, count: number): Promise<number[]>;
  fullTextDdl(): string[];
  // Rows of distinct keys in rising order; each replaces the one under its key.
  writeFullText(tx: Queries, rows: readonly FullTextRow[]): Promise<void>;
  deleteFullText(tx: Queries, keys: readonly number[]): Promise<void>;
  matchFullText(db: Queries, query: FullTextQuery): Promise<number[]>;
  // A step of background tidying that writes about so many pages; false when there was nothing to do.
  mergeFullText(tx: Queries, pages: number): Promise<boolean>;
  // Query plan as text, for the tests that guard hot paths.
  explain(db: Queries, query: RawBuilder<unknown>): Promise<string>;
  isUniqueViolation(error: unknown): boolean;
  isBusy(error: unknown): boolean;
}

export type Sequence = 'release_seq' | 'chunk_seq';

export type { KyselyDialect };
