// What stands around a release list: the filters above it, a GET form so that every filtered list has an address, and its
// end.
import type { z } from 'zod';
import { KINDS, type Kind, SOURCE_TYPES, type SourceType } from '../../contract/enums.ts';
import { flag, oneOf, text } from '../../contract/query.ts';
import type { FeedFilter } from '../../releases/feeds/feed-query.ts';
import type { Shell } from '../frame/shell.ts';
import { withQuery } from '../links.ts';
import { formatCount, type Html, html } from './html.ts';
import { icon } from './icon.ts';
import { sourceTypeWord } from './marks.ts';
import { pager } from './parts.ts';

const RANGES = { '30d': '30 d', '3m': '3 m', '1y': '1 y', all: 'All' } as const;
type TimeRange = keyof typeof RANGES;

const RANGE_DAYS: Record<Exclude<TimeRange, 'all'>, number> = { '30d': 30, '3m': 91, '1y': 365 };
const RANGE_NAMES = ['30d', '3m', '1y', 'all'] as const satisfies readonly TimeRange[];

export const listQuery = {
  q: text({ max: 200 }),
  kind: oneOf(KINDS),
  source_type: oneOf(SOURCE_TYPES),
  include_prereleases: flag(),
  range: oneOf(RANGE_NAMES),
  cursor: text({ max: 100_000 }),
};

export type ListQuery = z.output<z.ZodObject<typeof listQuery>>;

export const KIND_WORDS: Record<Kind, string> = {
  platform: 'Platform',
  sdk: 'SDK',
  mobile: 'Mobile app',
  desktop: 'Desktop app',
  docs: 'Docs',
  integration: 'Integration',
  tool: 'Tool',
};

export function filterOf(query: ListQuery, now: number): FeedFilter {
  const days = query.range && query.range !== 'all' ? RANGE_DAYS[query.range] : null;
  return {
    q: query.q || undefined,
    kind: query.kind,
    sourceTypes: query.source_type ? [query.source_type] : undefined,
    includePrereleases: query.include_prereleases ?? false,
    since: days === null ? null : new Date(now - days * 86_400_000).toISOString(),
  };
}

// The active filters, with the labels of the form.
export function activeFilters(query: ListQuery): string[] {
  return [
    query.q ? `“${query.q}”` : '',
    query.kind ? KIND_WORDS[query.kind] : '',
    query.source_type ? sourceTypeWord(query.source_type) : '',
    query.range && query.range !== 'all' ? `last ${RANGES[query.range]}` : '',
  ].filter(Boolean);
}

interface OfferedFilters {
  // The number of releases without any filter, where it is known.
  total?: number;
  // What the releases are; absent: the filter is not offered. Where all are the same there is nothing to choose.
  kinds?: readonly (Kind | null)[];
  types?: readonly SourceType[];
}

// A list that is seen at a glance needs no filters.
const SEEN_AT_A_GLANCE = 8;

export function filterRow(query: ListQuery, { total, kinds = [], types = [] }: OfferedFilters = {}): Html {
  const isFiltered = activeFilters(query).length > 0 || query.include_prereleases;
  if (total !== undefined && !isFiltered && total <= SEEN_AT_A_GLANCE) return '';
  const range = query.range ?? 'all';
  return html`<details class="filters"><summary>${icon('filter')}Filter</summary><form class="filter-row" data-form="filter" method="get" role="search" aria-label="Filter releases">
<div class="searchbox">${icon('filter')}<label class="sr" for="f-q">Filter by text</label><input class="input" id="f-q" name="q" type="search" placeholder="Filter by text" value="${query.q ?? ''}"></div>
${
  hasChoice(kinds, query.kind)
    ? selectFilter({
        name: 'kind',
        label: 'Kind',
        any: 'Any kind',
        options: KINDS.filter((kind) => kinds.includes(kind) || kind === query.kind).map((kind) => [
          kind,
          KIND_WORDS[kind],
        ]),
        chosen: query.kind,
      })
    : ''
}
${
  hasChoice(types, query.source_type)
    ? selectFilter({
        name: 'source_type',
        label: 'Source type',
        any: 'Any source',
        options: SOURCE_TYPES.filter((type) => types.includes(type) || type === query.source_type).map((type) => [
          type,
          sourceTypeWord(type),
        ]),
        chosen: query.source_type,
      })
    : ''
}
<label class="check"><input type="checkbox" name="include_prereleases" value="true"${query.include_prereleases ? html` checked` : ''}> Pre-releases</label>
<fieldset class="segmented"><legend class="sr">Range</legend>${RANGE_NAMES.map((name) => html`<label><input type="radio" name="range" value="${name}"${name === range ? html` checked` : ''}>${RANGES[name]}</label>`)}</fieldset>
<button class="btn" type="submit">Apply</button>
</form></details>`;
}

function hasChoice(values: readonly (string | null)[], chosen: string | undefined): boolean {
  return chosen !== undefined || new Set(values).size > 1;
}

// A choice among a few values in a row of filters; the empty one is "any".

interface SelectFilter {
  name: string;
  // What a screen reader calls it; left out: the words for "any".
  label?: string;
  any: string;
  options: readonly (readonly [value: string, words: string])[];
  chosen: string | undefined;
}

export function selectFilter({ name, any, label = any, options, chosen }: SelectFilter): Html {
  return html`<label class="sr" for="f-${name}">${label}</label><select class="select" id="f-${name}" name="${name}"><option value="">${any}</option>${options.map(([value, words]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${words}</option>`)}</select>`;
}

// The end of the list: the way to older releases, or what the list leaves out, so that it adds up to the count above it.

interface ListEnd {
  path: string;
  // The number of releases in the list, and of all that the entity has.
  shown: number;
  total: number;
  next: string | null;
  // Releases without a date are in the order of their versions.
  isDated?: boolean;
}

export function listEnd({ path, shown, total, next, isDated = true }: ListEnd, shell: Shell, query: ListQuery): Html {
  if (next)
    return pager(isDated ? 'Newest first' : 'Highest version first', {
      path: withQuery(path, shell.query, { cursor: next }),
      name: 'Older',
    });
  const leftOut = total - shown;
  const isWhole = !query.cursor && !query.include_prereleases && activeFilters(query).length === 0;
  if (shown === 0 || leftOut <= 0 || !isWhole) return '';
  const words = leftOut === 1 ? '1 pre-release is' : `${formatCount(leftOut)} pre-releases are`;
  return html`<p class="small muted">${words} left out. <a href="${withQuery(path, shell.query, { include_prereleases: 'true' })}">Show pre-releases</a></p>`;
}
