// /search: matching names first, then releases and changelog passages in rank order.

import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { DomainLookup } from '../../contract/lookup.ts';
import { flag, limitLike, oneOf, text } from '../../contract/query.ts';
import { SEARCH_MODES, type SearchAnswer } from '../../contract/search.ts';
import { lookUpDomain } from '../../entities/lookups/by-domain.ts';
import { readTotals } from '../../entities/registry/stats.ts';
import { suggestSlugs } from '../../packages/whats-changed/names.ts';
import { searchRegistry } from '../../search/search.ts';
import { html } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { type NearNames, type SearchTab, searchResults } from '../components/search-results.ts';
import { withQuery } from '../links.ts';
import { page } from '../page.ts';

const FILTERS: Record<SearchTab, string> = {
  all: 'All',
  packages: 'Packages',
  orgs: 'Organizations',
  products: 'Products',
  collections: 'Collections',
  releases: 'Releases',
  changelogs: 'Changelogs',
};
const FILTER_NAMES = ['all', 'packages', 'orgs', 'products', 'collections', 'releases', 'changelogs'] as const;

const RANGE_NAMES = ['any', '30d', '3m', '6m', '1y', '2y'] as const;
const RANGES: Record<(typeof RANGE_NAMES)[number], { words: string; days: number | null }> = {
  any: { words: 'Any time', days: null },
  '30d': { words: '30 days', days: 30 },
  '3m': { words: '3 months', days: 91 },
  '6m': { words: '6 months', days: 183 },
  '1y': { words: '1 year', days: 365 },
  '2y': { words: '2 years', days: 730 },
};
const HITS = 20;

const searchQuery = {
  q: text({ max: 500 }),
  filter: oneOf(FILTER_NAMES),
  range: oneOf(RANGE_NAMES),
  mode: oneOf(SEARCH_MODES),
  breaking: flag(),
  offset: limitLike({ default: 0, min: 0, max: 1000 }),
};

export const searchPage = page({
  path: '/search',
  summary: 'Search',
  query: searchQuery,
  load: async (ctx, { query }) => {
    const q = query.q?.trim() ?? '';
    if (q === '') return { answer: null, near: null, searched: null };
    const { days } = RANGES[query.range ?? 'any'];
    const since = days === null ? null : new Date(ctx.clock().getTime() - days * 86_400_000).toISOString();
    const answer = await searchRegistry(ctx, {
      q,
      mode: query.mode ?? 'hybrid',
      limit: HITS,
      offset: query.offset,
      filters: { since, ...(query.breaking && { breaking: ['major', 'minor'] }) },
      codeMarks: true,
    });
    if (!isEmpty(answer)) return { answer, near: null, searched: null };
    const [near, searched] = await Promise.all([nearNames(ctx, q), readTotals(ctx, { days: 1 })]);
    return { answer, near, searched };
  },
  show: ({ answer, near, searched }, shell, { query }) => {
    const filter = query.filter ?? 'all';
    const range = query.range ?? 'any';
    const breaking = query.breaking ?? false;
    const without = (name: 'filter' | 'range' | 'breaking', words: string) => ({
      words,
      path: withQuery('/search', shell.query, { [name]: null, offset: null }),
    });
    const removable = [
      ...(filter === 'all' ? [] : [without('filter', FILTERS[filter])]),
      ...(range === 'any' ? [] : [without('range', RANGES[range].words)]),
      ...(breaking ? [without('breaking', 'Breaking only')] : []),
    ];
    const tabs = FILTER_NAMES.filter((name) => name === filter || isTabOf(answer, name));
    return {
      name: 'search',
      head: { title: query.q ? `Search: ${query.q}` : 'Search', robots: 'noindex, follow' },
      body: html`<h1 class="sr">Search</h1>
<form class="searchbox big" action="/search" role="search" aria-label="Everything" data-form="search">${icon('search')}<label class="sr" for="q">Search</label><input class="input" id="q" name="q" type="search" value="${query.q ?? ''}"${query.q ? '' : html` autofocus`}>${filter === 'all' ? '' : html`<input type="hidden" name="filter" value="${filter}">`}${range === 'any' ? '' : html`<input type="hidden" name="range" value="${range}">`}${breaking ? html`<input type="hidden" name="breaking" value="1">` : ''}</form>
<div data-results>${answer ? html`<div class="filter-row sp-top"><nav class="segmented scroll-seg" aria-label="Show">${tabs.map((name) => html`<a href="${withQuery('/search', shell.query, { filter: name === 'all' ? null : name, offset: null })}"${name === filter ? html` aria-current="true"` : ''}>${FILTERS[name]}${tabCount(answer, name)}</a>`)}</nav><nav class="segmented scroll-seg" aria-label="Published">${RANGE_NAMES.map((name) => html`<a href="${withQuery('/search', shell.query, { range: name === 'any' ? null : name, offset: null })}"${name === range ? html` aria-current="true"` : ''}>${RANGES[name].words}</a>`)}</nav><nav class="segmented" aria-label="Breaking"><a href="${withQuery('/search', shell.query, { breaking: breaking ? null : '1', offset: null })}"${breaking ? html` aria-current="true"` : ''}>Breaking only</a></nav></div>` : ''}
${answer ? searchResults(answer, { filter, offset: query.offset, limit: HITS, removable, near, searched, now: shell.now, query: shell.query }) : html`<p class="lede">Search for a package, a version, an option that was renamed, or an advisory.</p>`}</div>`,
    };
  },
});

const NAMED = { packages: 'packages', orgs: 'orgs', products: 'catalog', collections: 'collections' } as const;

// Kinds of names that the search did not find have no tab.
function isTabOf(answer: SearchAnswer | null, tab: SearchTab): boolean {
  if (tab === 'all' || tab === 'releases' || tab === 'changelogs') return true;
  return (answer?.[NAMED[tab]].length ?? 0) > 0;
}

function tabCount(answer: SearchAnswer, tab: SearchTab): string {
  if (tab === 'all' || tab === 'releases' || tab === 'changelogs') return '';
  const count = answer[NAMED[tab]].length;
  return count > 0 ? ` ${count}` : '';
}

function isEmpty({ packages, orgs, catalog, collections, releases, chunks = [] }: SearchAnswer): boolean {
  return [packages, orgs, catalog, collections, releases, chunks].every((list) => list.length === 0);
}

const DOMAIN = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$/i;

async function nearNames(ctx: Context, q: string): Promise<NearNames> {
  const [slugs, domain] = await Promise.all([suggestSlugs(ctx, q), DOMAIN.test(q) ? knownDomain(ctx, q) : null]);
  return { slugs, domain };
}

// The lookup throws `not_found` for an unknown domain; the page treats that as no result.
async function knownDomain(ctx: Context, domain: string): Promise<DomainLookup> {
  try {
    return await lookUpDomain(ctx, { domain });
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { domain, org: null, products: [] };
    throw error;
  }
}
