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

// Releases, and the chunks of changelog files: these have a heading for a title, and neither version nor summary.
export type FullTextIndex = 'releases' | 'chunks';

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
  index: FullTextIndex;
  // Every group must match by one of its terms; without a group nothing matches.
  groups: readonly QueryGroup[];
  // Where words and phrases may stand; exact terms stand in columns of their own.
  columns: readonly FullTextColumn[];
  // One group, at least, must also match in these columns.
  oneIn?: readonly FullTextColumn[];
  // Lists of exact terms, of each of which one must be present; and terms that must not.
  required: readonly (readonly string[])[];
  excluded: readonly string[];
  // So few documents of the range have all required terms that it pays to leap from one to the next.
  sparse?: boolean;
  // Inclusive key range, newest first.
  minKey: number;
  maxKey: number;
  limit: number;
}

// What of a query an engine writes in its own query language.
export type FullTextTerms = Pick<FullTextQuery, 'groups' | 'columns' | 'oneIn' | 'required' | 'excluded'>;

// The words of a query, asked of a few documents.
export interface KeyedQuery extends Pick<FullTextQuery, 'index' | 'groups' | 'columns'> {
  keys: readonly number[];
}

// What to rank: the newest; with tiers the newest of each, which are every group in the columns `head`, one of them in
// `near` (of no columns: not asked for), all of them anywhere.
export interface CandidateQuery extends Omit<FullTextQuery, 'columns' | 'oneIn' | 'limit' | 'sparse'> {
  tiers: { head: readonly FullTextColumn[]; near: readonly FullTextColumn[] } | null;
  // At most so many keys.
  most: number;
  // About how many documents have the rarest of the words and filters; sparse when that is so few that it pays to leap
  // from one to the next over all that the others have in between.
  rarest: number;
  sparse: boolean;
  // Where a search over the whole index would be long: from this key up lies a small part of the range, which shows how
  // common matches are.
  sliceKey: number | null;
  // How many rows may be looked at one by one where no index gives the newest first.
  rows: number;
}

export interface FullTextCandidates {
  keys: number[];
  // No match of the range is missing.
  complete: boolean;
  // Everything from here up has been looked at.
  lowestKey: number;
}

export interface CountQuery {
  index: FullTextIndex;
  group: QueryGroup;
  // Above 0 when looking at all that may match would take too long.
  minKey: number;
  sparse: boolean;
  // About how many documents the whole index has.
  docs: number;
}

export interface DocumentCount {
  docs: number;
  // Null when all of the range were counted, else the lowest key up to which they were.
  lowestKey: number | null;
}

// What a verified backup holds.
export interface BackupContents {
  engine: 'sqlite' | 'postgres';
  migrations: number[];
  counts: Record<string, number>;
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
  // Ends a query whose rows nobody else may change before the transaction ends. Ask for rows in the order of their keys.
  forUpdate: RawBuilder<unknown>;
  // A stored timestamp as seconds, for arithmetic inside a query.
  epochSeconds(column: string): RawBuilder<number>;
  // Whether a column of keys is one of these; one statement for any number of them, with one parameter, their list.
  amongKeys(column: string, keys: readonly number[]): RawBuilder<boolean>;
  keyList(keys: readonly number[]): unknown;
  // The same for ids: however many there are, the statement is built and prepared for one parameter.
  amongIds(column: string, ids: readonly string[]): RawBuilder<boolean>;
  // A part of a text by its UTF-8 bytes, both ends at whole characters.
  textSlice(column: string, offset: RawBuilder<number>, length: RawBuilder<number>): RawBuilder<string>;
  // Unique rising numbers; a rolled-back transaction may leave gaps.
  nextNumbers(tx: Queries, sequence: Sequence, count: number): Promise<number[]>;
  fullTextDdl(index: FullTextIndex): string[];
  // Apart, because the first databases had no ranking.
  rankingDdl(index: FullTextIndex): string[];
  // What makes it quick to look at many rows one after the other.
  walkingDdl(index: FullTextIndex): string[];
  // Where commits say what they changed, on an engine that cannot tell other processes by itself.
  changeLogDdl: string[];
  // How many rows an index has, and how many share each of its prefixes, for a planner that does not find out itself.
  planStatistics(table: string, indexes: Record<string, readonly number[]>): string[];
  // Rows of distinct keys in rising order; each replaces the one under its key.
  writeFullText(tx: Queries, index: FullTextIndex, rows: Iterable<FullTextRow>): Promise<void>;
  deleteFullText(tx: Queries, index: FullTextIndex, keys: readonly number[]): Promise<void>;
  matchFullText(db: Queries, query: FullTextQuery): Promise<number[]>;
  // Which of these documents match. Null when searching through the entries of the words is the quicker way.
  matchAmongKeys(db: Queries, query: KeyedQuery): Promise<number[] | null>;
  // The two below look at a bounded number of documents, however many there are.
  findCandidates(db: Queries, query: CandidateQuery): Promise<FullTextCandidates>;
  countDocuments(db: Queries, query: CountQuery): Promise<DocumentCount>;
  // A step of background tidying that writes about so many pages; false when there was nothing to do.
  mergeFullText(tx: Queries, pages: number): Promise<boolean>;
  // Query plan as text, for the tests that guard hot paths.
  explain(db: Queries, query: RawBuilder<unknown>): Promise<string>;
  // A query for the room that the database takes, in bytes.
  databaseBytes: RawBuilder<{ bytes: number }>;
  isUniqueViolation(error: unknown): boolean;
  isBusy(error: unknown): boolean;
  // Null: the statement itself is to blame.
  outageOf(error: unknown): Outage | null;
}

export type Sequence = 'release_seq' | 'chunk_seq';
