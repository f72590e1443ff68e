// Filters as index terms and key bounds, so that they are applied before the candidates are limited.

import type { SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { firstKeyOfMinute, lastKeyOfMinute, minuteOf } from '../../domain/search-text/doc-key.ts';
import type { FilterEntry } from '../filters/entry.ts';
import { ENTITY_FILTERS, RELEASE_FILTERS } from '../filters/table.ts';

export interface ScopeOfSearch {
  required: string[][];
  excluded: string[];
  minKey: number;
  maxKey: number;
  // A list of values was too long for the index: only the check of the rows applies it.
  hasLongList: boolean;
}

const MAX_TERMS = 100;

// The filters on orgs, products and sources, which apply to chunks too.
export function entityScope(filter: SearchFilter, now: Date): ScopeOfSearch {
  return { ...termsOf(ENTITY_FILTERS, filter), minKey: 0, maxKey: lastKeyOfMinute(minuteOf(now.toISOString())) };
}

export function releaseScope(filter: SearchFilter, now: Date): ScopeOfSearch {
  const { maxKey, minKey } = entityScope(filter, now);
  const { since, until } = filter;
  return {
    ...releaseTerms(filter),
    minKey: since === undefined ? minKey : firstKeyOfMinute(minuteOf(since)),
    maxKey: until === undefined ? maxKey : Math.min(maxKey, lastKeyOfMinute(minuteOf(until))),
  };
}

export function releaseTerms(filter: SearchFilter): FilterTerms {
  return termsOf(RELEASE_FILTERS, filter);
}

type FilterTerms = Pick<ScopeOfSearch, 'required' | 'excluded' | 'hasLongList'>;

function termsOf<Row>(entries: readonly FilterEntry<Row>[], filter: SearchFilter): FilterTerms {
  const lists = entries.flatMap((entry) => entry.required?.(filter) ?? []);
  return {
    required: lists.filter(({ size }) => size <= MAX_TERMS).map((list) => list.terms()),
    excluded: [...new Set(entries.flatMap((entry) => entry.excluded?.(filter) ?? []))],
    hasLongList: lists.some(({ size }) => size > MAX_TERMS),
  };
}
