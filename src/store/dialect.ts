import type { RawBuilder } from 'kysely';
import type { QueryGroup } from '../domain/search-text/query-terms.ts';
import type { Outage } from './outage.ts';
import type { Queries } from './schema/index.ts';

// Column types as each engine spells them; text compares by bytes on both.
interface ColumnTypes {
  text: string;
  int: string;
  real: string;
  blob: string;
}

// Releases, and the chunks of changelog files: a chunk has its heading as the title, and neither version nor summary.
export type FullTextIndex = 'releases' | 'chunks';

// One document: folded texts, and terms in their stored form separated by spaces.
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
  index: FullTextIndex;
  // Every group must match by one of its terms; without a group nothing matches.
  groups: readonly QueryGroup[];
  // The columns in which words and phrases may match; exact terms have columns of their own.
  columns: readonly FullTextColumn[];
  // At least one group must also match in these columns.
  oneIn?: readonly FullTextColumn[];
  // Lists of exact terms, of each of which one must be present; and terms that must be absent.
  required: readonly (readonly string[])[];
  excluded: readonly string[];
  // So few documents of the range have all required terms that skipping from one to the next is cheaper.
  sparse?: boolean;
  // Inclusive key range, newest first.
  minKey: number;
  maxKey: number;
  limit: number;
}

// The parts of a query that an engine writes in its own query language.
export type FullTextTerms = Pick<FullTextQuery, 'groups' | 'columns' | 'oneIn' | 'required' | 'excluded'>;

// The words of a query, matched against a few documents.
export interface KeyedQuery extends Pick<FullTextQuery, 'index' | 'groups' | 'columns'> {
  keys: readonly number[];
}

// What to rank: the newest; with tiers the newest of each, which are every group in the columns `head`, one of them in
// `near` (those of the head and more; of no columns: not asked for), all of them anywhere.
export interface CandidateQuery extends Omit<FullTextQuery, 'columns' | 'oneIn' | 'limit' | 'sparse'> {
  tiers: { head: readonly FullTextColumn[]; near: readonly FullTextColumn[] } | null;
  // The maximum number of keys.
  most: number;
  // About how many documents have the rarest of the words and filters; sparse when that is so few that it pays to leap
  // from one to the next over all that the others have in between.
  rarest: number;
  sparse: boolean;
  // Where a search over the whole index would be long: the part of the range from this key up is a small sample that
  // shows how common matches are.
  sliceKey: number | null;
  // How many rows may be read one by one where no index returns the newest first.
  rows: number;
}

export interface FullTextCandidates {
  keys: number[];
  // The result contains all matches of the range.
  complete: boolean;
  // Everything from this key up has been examined.
  lowestKey: number;
}

export interface CountQuery {
  index: FullTextIndex;
  group: QueryGroup;
  // Above 0 when examining all possible matches would take too long.
  minKey: number;
  sparse: boolean;
  // The approximate number of documents in the index.
  docs: number;
}

export interface DocumentCount {
  docs: number;
  // Null when the whole range was counted, otherwise the lowest counted key.
  lowestKey: number | null;
}

// The content of a verified backup.
export interface BackupContents {
  engine: 'sqlite' | 'postgres';
  migrations: number[];
  counts: Record<string, number>;
}

// Everything in which the two engines differ. No other code depends on the engine.
export interface Dialect {
  name: 'sqlite' | 'postgres';
  types: ColumnTypes;
  // Ends the DDL of a narrow table that is always read by its primary key.
  clustered: string;
  // Serialises writers on a rule that no unique index can express; held until the transaction ends.
  lock(tx: Queries, name: string): Promise<void>;
  // Whether all transactions that write wait for each other.
  hasOneWriter: boolean;
  // Whether a query in FROM may refer to what stands before it.
  hasLateral: boolean;
  // Ends a query that claims rows: rows that another transaction has claimed are skipped, not waited for.
  skipLocked: RawBuilder<unknown>;
  // Ends a query that locks its rows until the transaction ends. Request rows in the order of their keys, to avoid
  // deadlocks.
  forUpdate: RawBuilder<unknown>;
  // A stored timestamp as seconds, for arithmetic inside a query.
  epochSeconds(column: string): RawBuilder<number>;
  // Stands behind a table: the index by which it is read. SQLite does not know how few rows a partial index has at the moment;
  // PostgreSQL decides by itself.
  byIndex(name: string): RawBuilder<unknown>;
  // Whether a column of keys contains one of these; one statement with one parameter for any number of keys.
  amongKeys(column: string, keys: readonly number[]): RawBuilder<boolean>;
  keyList(keys: readonly number[]): unknown;
  // The same for ids: the statement has one parameter, however many there are.
  amongIds(column: string, ids: readonly string[]): RawBuilder<boolean>;
  // Rows of texts as a table, for FROM: its columns are `v0`, `v1` and so on. One statement for any number of rows.
  textRows(rows: readonly (readonly string[])[], alias: string): RawBuilder<unknown>;
  // A part of a text by its UTF-8 bytes, both ends at whole characters.
  textSlice(column: string, offset: RawBuilder<number>, length: RawBuilder<number>): RawBuilder<string>;
  // Unique ascending numbers; a rolled-back transaction may leave gaps.
  nextNumbers(tx: Queries, sequence: Sequence, count: number): Promise<number[]>;
  fullTextDdl(index: FullTextIndex): string[];
  // Separate, because the first databases had no ranking.
  rankingDdl(index: FullTextIndex): string[];
  // Settings that speed up reading many rows in sequence.
  walkingDdl(index: FullTextIndex): string[];
  // What finds the newest hits of each tier, where the index itself does not.
  newestHitsDdl(index: FullTextIndex): string[];
  // A table in which commits record their changes, on an engine without notifications between processes.
  changeLogDdl: string[];
  // The row counts of an index and its prefixes, for a planner that does not collect statistics itself.
  planStatistics(table: string, indexes: Record<string, readonly number[]>): string[];
  // Rows with distinct keys in ascending order; each replaces the one with its key.
  writeFullText(tx: Queries, index: FullTextIndex, rows: Iterable<FullTextRow>): Promise<void>;
  deleteFullText(tx: Queries, index: FullTextIndex, keys: readonly number[]): Promise<void>;
  matchFullText(db: Queries, query: FullTextQuery): Promise<number[]>;
  // The documents among these that match. Null when a search through the entries of the words is faster.
  matchAmongKeys(db: Queries, query: KeyedQuery): Promise<number[] | null>;
  // The two functions below examine a bounded number of documents.
  findCandidates(db: Queries, query: CandidateQuery): Promise<FullTextCandidates>;
  countDocuments(db: Queries, query: CountQuery): Promise<DocumentCount>;
  // One step of background maintenance that writes about this many pages; false when there was nothing to do.
  mergeFullText(tx: Queries, pages: number): Promise<boolean>;
  // Query plan as text, for the tests that guard hot paths.
  explain(db: Queries, query: RawBuilder<unknown>): Promise<string>;
  // A query for the size of the database in bytes.
  databaseBytes: RawBuilder<{ bytes: number }>;
  isUniqueViolation(error: unknown): boolean;
  isBusy(error: unknown): boolean;
  // Null when the statement itself is wrong.
  outageOf(error: unknown): Outage | null;
}

export type Sequence = 'release_seq' | 'chunk_seq';
