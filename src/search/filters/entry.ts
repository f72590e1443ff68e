// What one filter of a search is, and what retrievers, sections of entities and checks derive from a list of them.
import { type RawBuilder, sql } from 'kysely';
import type { SearchFilter } from '../../domain/retrieval/retrievers.ts';

// A candidate as the filters see it.
export interface FilterableRow {
  org_id: string | null;
  product_id: string | null;
  source_id: string | null;
  category: string | null;
  kind: string | null;
  source_type: string | null;
}

// What the notes of a release were found to say.
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

export type FilterCondition = RawBuilder<boolean>;
type ColumnSql = RawBuilder<unknown>;
// For something that has several values: the condition that one of them is among these.
type HasAnyOf = (values: readonly string[]) => FilterCondition;

// The expressions under which a statement has the columns; a filter whose column is missing does not act.
export type FilterColumns = Partial<Record<Exclude<keyof FilterableRelease, 'source_id'> | 'feed_at', ColumnSql>> & {
  source_id?: ColumnSql | HasAnyOf;
};

// Entities know only some of the filters, so none has to be there.
export type Filters = Readonly<Partial<SearchFilter>>;

export interface FilterEntry<Row> {
  name: keyof SearchFilter;
  // Terms of the index, one of which a document must have; null: the filter is not set.
  required?(filter: Filters): TermList | null;
  // Terms of the index that a document must not have.
  excluded?(filter: Filters): readonly string[];
  // The check of a row; null: the filter is not set.
  check(filter: Filters): ((row: Row) => boolean) | null;
  condition(filter: Filters, columns: FilterColumns): FilterCondition | null;
  // Whether it leaves so little that reading all of it may be the quickest.
  narrows(filter: Filters): boolean;
  // An index of releases that has what passes newest first; where several filters have one, that of the least rank is read.
  index?: {
    rank: number;
    // What the index serves; null: not these values.
    condition(filter: Filters, columns: FilterColumns): FilterCondition | null;
  };
}

// The least rank leaves the fewest releases. `sources` is no filter: sources that have few releases together.
export const INDEX_RANKS = {
  source: 1,
  product: 2,
  org: 3,
  owner: 4,
  sources: 5,
  category: 6,
  importance: 7,
  breaking: 8,
};

// Terms of the index that are made when they are asked for: a list may be too long for the index.
interface TermList {
  size: number;
  terms(): string[];
}

export function termList<T>(values: readonly T[] | undefined, toTerm: (value: T) => string): TermList | null {
  return values === undefined ? null : { size: values.length, terms: () => values.map(toTerm) };
}

export const NEVER = sql<boolean>`1 = 0`;

export function among(
  column: ColumnSql | HasAnyOf | undefined,
  values: readonly string[] | undefined,
): FilterCondition | null {
  if (!column || values === undefined) return null;
  if (values.length === 0) return NEVER;
  return typeof column === 'function' ? column(values) : sql<boolean>`${column} IN (${sql.join([...values])})`;
}

// A single value of a column, which an index serves in its order.
export function isOne(
  column: ColumnSql | HasAnyOf | undefined,
  values: readonly string[] | undefined,
): FilterCondition | null {
  return column && typeof column !== 'function' && values?.length === 1 ? sql<boolean>`${column} = ${values[0]}` : null;
}

export function notAmong(column: ColumnSql | undefined, values: readonly string[] | undefined): FilterCondition | null {
  if (!column || values === undefined || values.length === 0) return null;
  return sql<boolean>`(${column} IS NULL OR ${column} NOT IN (${sql.join([...values])}))`;
}

// The check of a row by all filters that are set.
export function checkOf<Row>(entries: readonly FilterEntry<Row>[], filter: Filters): (row: Row) => boolean {
  const checks = entries.flatMap((entry) => entry.check(filter) ?? []);
  return (row) => checks.every((passes) => passes(row));
}

// The same as conditions of a statement, as far as it has the columns.
export function conditionsOf<Row>(
  entries: readonly FilterEntry<Row>[],
  filter: Filters,
  columns: FilterColumns,
): FilterCondition[] {
  return entries.flatMap((entry) => entry.condition(filter, columns) ?? []);
}

export function narrows<Row>(entries: readonly FilterEntry<Row>[], filter: Filters): boolean {
  return entries.some((entry) => entry.narrows(filter));
}

// More values than a statement should carry. Rows that were named are few: they are read without such a list and checked.
const LONG_LIST = 100;
const ID_LISTS = ['orgIds', 'productIds', 'sourceIds'] as const;

export function withoutLongLists(filter: Filters): Filters {
  const long = ID_LISTS.filter((name) => (filter[name]?.length ?? 0) > LONG_LIST);
  return long.length === 0 ? filter : { ...filter, ...Object.fromEntries(long.map((name) => [name, undefined])) };
}

export function allOf(conditions: readonly FilterCondition[]): FilterCondition {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
}
