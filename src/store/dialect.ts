import type { Dialect as KyselyDialect, RawBuilder } from 'kysely';
import type { Queries } from './schema.ts';

// Column types as each engine spells them; text compares by bytes on both.
export interface ColumnTypes {
  text: string;
  int: string;
  real: string;
  blob: string;
}

export interface FullTextRow {
  key: number;
  title: string;
  version: string;
  summary: string;
  content: string;
  tokens: string;
  scope: string;
}

export interface FullTextQuery {
  // Every term must match; a term is a list of alternatives, each a word or a phrase.
  terms: readonly FullTextTerm[];
  // Scope lexemes that must all be present, and ones that must not.
  scope: readonly string[];
  withoutScope: readonly string[];
  // Inclusive key range, newest first.
  minKey: number;
  maxKey: number;
  limit: number;
}

export type FullTextTerm =
  | { kind: 'word'; text: string; prefix: boolean }
  | { kind: 'phrase'; words: readonly string[] }
  | { kind: 'token'; text: string };

// Everything in which the two engines differ. Nothing else in the code asks which engine runs.
export interface Dialect {
  name: 'sqlite' | 'postgres';
  types: ColumnTypes;
  // Serialises writers on a rule that no unique index can express; held until the transaction ends.
  lock(tx: Queries, name: string): Promise<void>;
  // Unique rising numbers; a rolled-back transaction may leave gaps.
  nextNumbers(tx: Queries, sequence: Sequence, count: number): Promise<number[]>;
  fullTextDdl(): string[];
  writeFullText(tx: Queries, rows: readonly FullTextRow[]): Promise<void>;
  deleteFullText(tx: Queries, keys: readonly number[]): Promise<void>;
  matchFullText(db: Queries, query: FullTextQuery): Promise<number[]>;
  // Query plan as text, for the tests that guard hot paths.
  explain(db: Queries, query: RawBuilder<unknown>): Promise<string>;
  isUniqueViolation(error: unknown): boolean;
  isBusy(error: unknown): boolean;
}

export type Sequence = 'release_seq' | 'chunk_seq';

export type { KyselyDialect };
