// The shape of a search filter, and what retrievers, lists of entities and checks derive from a list of filters.
import { type RawBuilder, sql } from 'kysely';
import type { SearchFilter } from '../../domain/retrieval/retrievers.ts';

// The columns of a candidate that filters check.
export interface FilterableRow {
  org_id: string | null;
  product_id: string | null;
  source_id: string | null;
  category: string | null;
  kind: string | null;
  source_type: string | null;
}

// The verdicts on the notes of a release.
export interface FilterableVerdicts {
  type: string;
  breaking: string;
  importance: number | null;
}

// What decides whether a release is listed.
export interface FilterableListing {
  prerelease: number;
  listing: number;
  published_at: string | null;
}

export interface FilterableRelease extends FilterableRow, FilterableVerdicts, FilterableListing {}

export type FilterCondition = RawBuilder<boolean>;
type ColumnSql = RawBuilder<unknown>;
// For a column with several values: the condition that one of them is in the list.
type HasAnyOf = (values: readonly string[]) => FilterCondition;

// The SQL expressions of the columns in a statement; a filter whose column is missing is not applied.
export type FilterColumns = Partial<Record<Exclude<keyof FilterableRelease, 'source_id'> | 'feed_at', ColumnSql>> & {
  source_id?: ColumnSql | HasAnyOf;
};

// All filters are optional, because entities know only some of them.
export type Filters = Readonly<Partial<SearchFilter>>;

export interface FilterEntry<Row> {
  name: keyof SearchFilter;
  // Index terms, of which a document must have one; null when the filter is not set.
  required?(filter: Filters): TermList | null;
  // Index terms that a document must not have.
  excluded?(filter: Filters): readonly string[];
  // The check of a row; null when the filter is not set.
  check(filter: Filters): ((row: Row) => boolean) | null;
  condition(filter: Filters, columns: FilterColumns): FilterCondition | null;
  // Whether the filter leaves so few rows that reading all of them may be fastest.
  narrows(filter: Filters): boolean;
  // The index that lists passing releases newest first; of several filters the index with the lowest rank is used.
  index?: {
    rank: number;
    // The condition that the index supports; null when it does not support these values.
    condition(filter: Filters, columns: FilterColumns): FilterCondition | null;
  };
}

// The lowest rank leaves the fewest releases. `sources` is no filter but a set of sources with few releases together.
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

// Index terms that are built only on demand, because a list may be too long for the index.
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

// The condition for a single value, which an index can serve in order.
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

// A function that checks a row against all filters that are set.
export function checkOf<Row>(entries: readonly FilterEntry<Row>[], filter: Filters): (row: Row) => boolean {
  const checks = entries.flatMap((entry) => entry.check(filter) ?? []);
  return (row) => checks.every((passes) => passes(row));
}

// The filters that are set as SQL conditions, as far as the statement has their columns.
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

// Longer lists are not put into a statement. The rows that were found are few, so they are checked after they are read.
const LONG_LIST = 100;
const ID_LISTS = ['orgIds', 'productIds', 'sourceIds'] as const;

export function withoutLongLists(filter: Filters): Filters {
  const long = ID_LISTS.filter((name) => (filter[name]?.length ?? 0) > LONG_LIST);
  return long.length === 0 ? filter : { ...filter, ...Object.fromEntries(long.map((name) => [name, undefined])) };
}

export function allOf(conditions: readonly FilterCondition[]): FilterCondition {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
}
