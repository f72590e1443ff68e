// Filters as terms of the index, so that they act before anything is cut.
import { firstKeyOfMinute, lastKeyOfMinute, minuteOf } from '../../domain/doc-key.ts';
import type { SearchFilter } from '../../domain/search-legs.ts';
import {
  COVERAGE_TERM,
  PRERELEASE_TERM,
  type ScopeName,
  scopeTerm,
  UNDATED_TERM,
} from '../../domain/search-text/scope-terms.ts';
import type { FoundDocument } from './corpus.ts';

export interface ScopeOfSearch {
  required: string[][];
  excluded: string[];
  minKey: number;
  maxKey: number;
  /** Lists too long for the index: each candidate is looked up in them. */
  long: { place: Place; values: ReadonlySet<string> }[];
}

export type Place = 'orgIds' | 'productIds' | 'sourceIds';

const MAX_TERMS = 100;
const TOP_IMPORTANCE = 5;

const LISTS = [
  ['orgIds', 'org'],
  ['productIds', 'product'],
  ['sourceIds', 'source'],
  ['categories', 'category'],
  ['kinds', 'kind'],
  ['sourceTypes', 'source_type'],
] as const satisfies readonly (readonly [keyof SearchFilter, ScopeName])[];

/** What belongs to an org, product or source: the filters that chunks know, too. */
export function entityScope(filter: SearchFilter, now: Date): ScopeOfSearch {
  const scope: ScopeOfSearch = {
    required: [],
    excluded: (filter.excludedSourceTypes ?? []).map((type) => scopeTerm('source_type', type)),
    minKey: 0,
    maxKey: lastKeyOfMinute(minuteOf(now.toISOString())),
    long: [],
  };
  for (const [list, name] of LISTS) {
    const values = filter[list];
    if (values === undefined) continue;
    if (values.length > MAX_TERMS && isPlace(list)) scope.long.push({ place: list, values: new Set(values) });
    else scope.required.push(values.map((value) => scopeTerm(name, value)));
  }
  return scope;
}

export function releaseScope(filter: SearchFilter, now: Date, askedForPrerelease: boolean): ScopeOfSearch {
  const scope = entityScope(filter, now);
  if (filter.type !== undefined) scope.required.push([scopeTerm('type', filter.type)]);
  if (filter.breaking !== undefined) scope.required.push(filter.breaking.map((value) => scopeTerm('breaking', value)));
  if (filter.minImportance !== undefined) scope.required.push(importances(filter.minImportance));
  if (!filter.includePrereleases && !askedForPrerelease) scope.excluded.push(PRERELEASE_TERM);
  if (!filter.includeCoverage) scope.excluded.push(COVERAGE_TERM);
  if (filter.since !== undefined || filter.until !== undefined) scope.excluded.push(UNDATED_TERM);
  if (filter.since !== undefined) scope.minKey = firstKeyOfMinute(minuteOf(filter.since));
  if (filter.until !== undefined) scope.maxKey = Math.min(scope.maxKey, lastKeyOfMinute(minuteOf(filter.until)));
  return scope;
}

function importances(least: number): string[] {
  const first = Math.max(1, Math.ceil(least));
  return Array.from({ length: Math.max(0, TOP_IMPORTANCE - first + 1) }, (_, at) =>
    scopeTerm('importance', first + at),
  );
}

function isPlace(list: string): list is Place {
  return list === 'orgIds' || list === 'productIds' || list === 'sourceIds';
}

/** Whether a document is in every list that was too long for the index. */
export function isListed({ orgId, productId, sourceId }: FoundDocument, { long }: ScopeOfSearch): boolean {
  const own = { orgIds: orgId, productIds: productId, sourceIds: sourceId };
  return long.every(({ place, values }) => values.has(own[place] ?? ''));
}
