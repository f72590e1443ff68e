// What one filter of a search is, and what is derived from a list of them.
import { type RawBuilder, sql } from 'kysely';
import type { SearchFilter } from '../../domain/search-legs.ts';

/** A candidate as the filters see it. */
export interface FilterableRow {
  org_id: string | null;
  product_id: string | null;
  source_id: string | null;
  category: string | null;
  kind: string | null;
  source_type: string | null;
}

/** What the notes of a release were found to say. */
export interface FilterableVerdicts {
  type: string;
  breaking: string;
  importance: number | null;
}

export interface FilterableRelease extends FilterableRow, FilterableVerdicts {
  prerelease: number;
  listing: number;
  published_at: string | null;
}

type FilterColumn = keyof FilterableRelease | 'feed_at';
/** The expressions under which a statement has the columns; a filter whose column is missing does not act. */
export type FilterColumns = Partial<Record<FilterColumn, RawBuilder<unknown>>>;
export type Condition = RawBuilder<boolean>;

export interface FilterEntry<Row> {
  name: keyof SearchFilter;
  /** Terms of the index, one of which a document must have; null: the filter is not set. */
  required?(filter: SearchFilter): readonly string[] | null;
  /** Terms of the index that a document must not have. */
  excluded?(filter: SearchFilter): readonly string[];
  /** The check of a row; null: the filter is not set. */
  check(filter: SearchFilter): ((row: Row) => boolean) | null;
  condition(filter: SearchFilter, columns: FilterColumns): Condition | null;
  /** Whether it leaves so little that reading all of it may be the quickest. */
  narrows(filter: SearchFilter): boolean;
}

export const NEVER = sql<boolean>`1 = 0`;

export function among(
  column: RawBuilder<unknown> | undefined,
  values: readonly string[] | undefined,
): Condition | null {
  if (!column || values === undefined) return null;
  return values.length === 0 ? NEVER : sql<boolean>`${column} IN (${sql.join([...values])})`;
}

export function notAmong(
  column: RawBuilder<unknown> | undefined,
  values: readonly string[] | undefined,
): Condition | null {
  if (!column || values === undefined || values.length === 0) return null;
  return sql<boolean>`(${column} IS NULL OR ${column} NOT IN (${sql.join([...values])}))`;
}

/** The check of a row by all filters that are set. */
export function checkOf<Row>(entries: readonly FilterEntry<Row>[], filter: SearchFilter): (row: Row) => boolean {
  const checks = entries.flatMap((entry) => entry.check(filter) ?? []);
  return (row) => checks.every((passes) => passes(row));
}

/** The same as conditions of a statement, as far as it has the columns. */
export function conditionsOf<Row>(
  entries: readonly FilterEntry<Row>[],
  filter: SearchFilter,
  columns: FilterColumns,
): Condition[] {
  return entries.flatMap((entry) => entry.condition(filter, columns) ?? []);
}

export function narrows<Row>(entries: readonly FilterEntry<Row>[], filter: SearchFilter): boolean {
  return entries.some((entry) => entry.narrows(filter));
}
