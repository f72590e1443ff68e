// Every filter of a search as one entry: what it asks of the full-text index, of a row and of a statement. Retrievers,
// vector conditions, entity lists and the check of candidates derive from this table and know no filter by name.
import { sql } from 'kysely';
import { keysOf } from '../../domain/records.ts';
import {
  COVERAGE_TERM,
  PRERELEASE_TERM,
  type ScopeName,
  scopeTerm,
  UNDATED_TERM,
} from '../../domain/search-text/scope-terms.ts';
import {
  among,
  type FilterableListing,
  type FilterableRelease,
  type FilterableRow,
  type FilterableVerdicts,
  type FilterEntry,
  INDEX_RANKS,
  isOne,
  NEVER,
  notAmong,
  termList,
} from './entry.ts';

type ListName = 'orgIds' | 'productIds' | 'sourceIds' | 'categories' | 'kinds' | 'sourceTypes';

function isAnyOf(name: ListName, column: keyof FilterableRow, term: ScopeName): FilterEntry<FilterableRow> {
  return {
    name,
    required: (filter) => termList(filter[name], (value) => scopeTerm(term, value)),
    check: (filter) => {
      const values = filter[name] && new Set(filter[name]);
      return values ? (row) => values.has(row[column] ?? '') : null;
    },
    condition: (filter, columns) => among(columns[column], filter[name]),
    narrows: (filter) => filter[name] !== undefined,
  };
}

// The index of a filter that has one for a single value.
function indexOf(
  name: ListName,
  column: keyof FilterableRow,
  rank: keyof typeof INDEX_RANKS,
): Pick<FilterEntry<never>, 'index'> {
  return { index: { rank: INDEX_RANKS[rank], condition: (filter, columns) => isOne(columns[column], filter[name]) } };
}

const OWNER_TERMS = { org_id: 'org', product_id: 'product', source_id: 'source' } as const;
const OWNER_COLUMNS = keysOf(OWNER_TERMS);

// Filters on sources and on everything that belongs to a source.
export const ENTITY_FILTERS: readonly FilterEntry<FilterableRow>[] = [
  { ...isAnyOf('orgIds', 'org_id', 'org'), ...indexOf('orgIds', 'org_id', 'org') },
  { ...isAnyOf('productIds', 'product_id', 'product'), ...indexOf('productIds', 'product_id', 'product') },
  { ...isAnyOf('sourceIds', 'source_id', 'source'), ...indexOf('sourceIds', 'source_id', 'source') },
  { ...isAnyOf('categories', 'category', 'category'), ...indexOf('categories', 'category', 'category') },
  isAnyOf('kinds', 'kind', 'kind'),
  isAnyOf('sourceTypes', 'source_type', 'source_type'),
  {
    name: 'owners',
    required: ({ owners }) => termList(owners, ({ column, id }) => scopeTerm(OWNER_TERMS[column], id)),
    check: ({ owners }) => (owners ? (row) => owners.some(({ column, id }) => row[column] === id) : null),
    condition: ({ owners }, columns) => {
      if (!owners || !OWNER_COLUMNS.some((column) => columns[column])) return null;
      const known = owners.flatMap(({ column, id }) => {
        return among(columns[column], [id]) ?? [];
      });
      return known.length === 0 ? NEVER : sql<boolean>`(${sql.join(known, sql` OR `)})`;
    },
    narrows: ({ owners }) => owners !== undefined,
    index: {
      rank: INDEX_RANKS.owner,
      condition: ({ owners }, columns) => {
        const [owner, ...others] = owners ?? [];
        return owner && others.length === 0 ? isOne(columns[owner.column], [owner.id]) : null;
      },
    },
  },
  {
    name: 'excludedSourceTypes',
    excluded: ({ excludedSourceTypes }) => (excludedSourceTypes ?? []).map((type) => scopeTerm('source_type', type)),
    check: ({ excludedSourceTypes }) => {
      return excludedSourceTypes ? (row) => !excludedSourceTypes.includes(row.source_type ?? '') : null;
    },
    condition: ({ excludedSourceTypes }, { source_type }) => notAmong(source_type, excludedSourceTypes),
    narrows: () => false,
  },
];

const TOP_IMPORTANCE = 5;
// The partial indexes have these conditions, so statements contain them as literals.
const NOTABLE_IMPORTANCE = 4;
const NOTABLE_BREAKING: readonly string[] = ['minor', 'major'];

// Filters on the verdicts of a release; a chunk has those of the release of its entry.
export const VERDICT_FILTERS: readonly FilterEntry<FilterableVerdicts>[] = [
  {
    name: 'type',
    required: ({ type }) => termList(type && [type], (value) => scopeTerm('type', value)),
    check: ({ type }) => (type === undefined ? null : (row) => row.type === type),
    condition: ({ type }, columns) => among(columns.type, type && [type]),
    narrows: () => false,
  },
  {
    name: 'breaking',
    required: ({ breaking }) => termList(breaking, (value) => scopeTerm('breaking', value)),
    check: ({ breaking }) => (breaking ? (row) => breaking.includes(row.breaking) : null),
    condition: ({ breaking }, columns) => among(columns.breaking, breaking),
    narrows: ({ breaking }) => isNotable(breaking),
    index: {
      rank: INDEX_RANKS.breaking,
      condition: ({ breaking }, columns) => {
        return columns.breaking && isNotable(breaking) ? sql<boolean>`${columns.breaking} IN ('major', 'minor')` : null;
      },
    },
  },
  {
    name: 'minImportance',
    required: ({ minImportance }) => {
      const values = minImportance === undefined ? undefined : importanceFrom(minImportance);
      return termList(values, (value) => scopeTerm('importance', value));
    },
    check: ({ minImportance }) => {
      return minImportance === undefined ? null : (row) => (row.importance ?? 0) >= minImportance;
    },
    condition: ({ minImportance }, { importance }) => {
      return minImportance === undefined || !importance ? null : sql<boolean>`${importance} >= ${minImportance}`;
    },
    narrows: ({ minImportance = 0 }) => minImportance >= NOTABLE_IMPORTANCE,
    index: {
      rank: INDEX_RANKS.importance,
      condition: ({ minImportance = 0 }, { importance }) => {
        return importance && minImportance >= NOTABLE_IMPORTANCE
          ? sql<boolean>`${importance} >= ${sql.lit(NOTABLE_IMPORTANCE)}`
          : null;
      },
    },
  },
];

// Filters that decide whether a release is listed.
export const LISTING_FILTERS: readonly FilterEntry<FilterableListing>[] = [
  {
    name: 'includePrereleases',
    excluded: ({ includePrereleases }) => (includePrereleases ? [] : [PRERELEASE_TERM]),
    check: ({ includePrereleases }) => (includePrereleases ? null : (row) => row.prerelease === 0),
    condition: ({ includePrereleases }, { prerelease }) => {
      return includePrereleases || !prerelease ? null : sql<boolean>`${prerelease} = 0`;
    },
    narrows: () => false,
  },
  {
    name: 'includeCoverage',
    excluded: ({ includeCoverage }) => (includeCoverage ? [] : [COVERAGE_TERM]),
    check: ({ includeCoverage }) => (includeCoverage ? null : (row) => row.listing === 2),
    condition: ({ includeCoverage }, { listing }) => {
      return includeCoverage || !listing ? null : sql<boolean>`${listing} = 2`;
    },
    narrows: () => false,
  },
  {
    name: 'since',
    excluded: ({ since }) => (since === undefined ? [] : [UNDATED_TERM]),
    // An undated release is in no window.
    check: ({ since }) =>
      since === undefined ? null : (row) => row.published_at !== null && row.published_at >= since,
    condition: ({ since }, { published_at: dated, feed_at: at }) => {
      return since === undefined || !at ? null : sql<boolean>`(${dated} IS NOT NULL AND ${at} >= ${since})`;
    },
    narrows: ({ since }) => since !== undefined,
  },
  {
    name: 'until',
    excluded: ({ until }) => (until === undefined ? [] : [UNDATED_TERM]),
    check: ({ until }) =>
      until === undefined ? null : (row) => row.published_at !== null && row.published_at <= until,
    condition: ({ until }, { published_at: dated, feed_at: at }) => {
      return until === undefined || !at ? null : sql<boolean>`(${dated} IS NOT NULL AND ${at} <= ${until})`;
    },
    narrows: ({ until }) => until !== undefined,
  },
];

export const RELEASE_FILTERS: readonly FilterEntry<FilterableRelease>[] = [
  ...ENTITY_FILTERS,
  ...VERDICT_FILTERS,
  ...LISTING_FILTERS,
];

function isNotable(breaking: readonly string[] | undefined): boolean {
  return breaking?.every((value) => NOTABLE_BREAKING.includes(value)) ?? false;
}

function importanceFrom(least: number): number[] {
  const first = Math.max(1, Math.ceil(least));
  return Array.from({ length: Math.max(0, TOP_IMPORTANCE - first + 1) }, (_, at) => first + at);
}
