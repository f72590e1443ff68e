// /search: what the text names first, then releases and changelog passages in rank order.
import { lookUpDomain } from '../../catalog/lookups/by-domain.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { DomainLookup } from '../../contract/lookup.ts';
import { limitLike, oneOf, text } from '../../contract/query.ts';
import { type ChunkHit, type ReleaseHit, SEARCH_MODES, type SearchAnswer } from '../../contract/search.ts';
import { suggestSlugs } from '../../insight/whats-changed/names.ts';
import { searchRegistry } from '../../search/search.ts';
import { avatar } from '../components/avatar.ts';
import { PRERELEASE, verdictBadge } from '../components/badge.ts';
import { highlight } from '../components/highlight.ts';
import { type Html, html, plural } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { empty, pager } from '../components/parts.ts';
import { rowTitle } from '../components/release-row.ts';
import { ago } from '../components/time.ts';
import { versionMark } from '../components/version.ts';
import { collectionPath, orgPath, outsideUrl, productPath, releasePath, sourcePath, withQuery } from '../links.ts';
import { page } from '../page.ts';

const FILTERS = {
  all: 'All',
  orgs: 'Organizations',
  products: 'Products',
  collections: 'Collections',
  releases: 'Releases',
  changelogs: 'Changelogs',
} as const;
const RANGES = {
  any: 'Any time',
  '30d': '30 days',
  '3m': '3 months',
  '6m': '6 months',
  '1y': '1 year',
  '2y': '2 years',
} as const;
const RANGE_DAYS: Record<keyof typeof RANGES, number | null> = {
  any: null,
  '30d': 30,
  '3m': 91,
  '6m': 183,
  '1y': 365,
  '2y': 730,
};
const HITS = 20;
const SHOWN = { orgs: 4, products: 3, collections: 3 };

type Filter = keyof typeof FILTERS;

const names = <T extends object>(words: T) => Object.keys(words) as (keyof T & string)[];

const searchQuery = {
  q: text({ max: 500 }),
  filter: oneOf(names(FILTERS)),
  range: oneOf(names(RANGES)),
  mode: oneOf(SEARCH_MODES),
  offset: limitLike({ default: 0, min: 0, max: 1000 }),
};

export const searchPage = page({
  path: '/search',
  summary: 'Search',
  query: searchQuery,
  load: async (ctx, { query }) => {
    const q = query.q?.trim() ?? '';
    if (q === '') return { answer: null, near: null };
    const days = RANGE_DAYS[query.range ?? 'any'];
    const since = days === null ? null : new Date(ctx.clock().getTime() - days * 86_400_000).toISOString();
    const answer = await searchRegistry(ctx, {
      q,
      mode: query.mode ?? 'hybrid',
      limit: HITS,
      offset: query.offset,
      filters: { since },
    });
    return { answer, near: isEmpty(answer) ? await nearNames(ctx, q) : null };
  },
  show: ({ answer, near }, shell, { query }) => {
    const filter = query.filter ?? 'all';
    const range = query.range ?? 'any';
    return {
      name: 'search',
      head: { title: query.q ? `Search: ${query.q}` : 'Search', robots: 'noindex, follow' },
      body: html`<h1 class="sr">Search</h1>
<form class="searchbox big" action="/search" role="search" aria-label="Everything" data-form="search">${icon('search')}<label class="sr" for="q">Search</label><input class="input" id="q" name="q" type="search" value="${query.q ?? ''}"${query.q ? '' : html` autofocus`}>${filter === 'all' ? '' : html`<input type="hidden" name="filter" value="${filter}">`}${range === 'any' ? '' : html`<input type="hidden" name="range" value="${range}">`}</form>
<div data-results><div class="filter-row"><nav class="segmented" aria-label="Show">${names(FILTERS).map((name) => html`<a href="${withQuery('/search', shell.query, { filter: name === 'all' ? null : name, offset: null })}"${name === filter ? html` aria-current="true"` : ''}>${FILTERS[name]}</a>`)}</nav><nav class="segmented" aria-label="Published">${names(RANGES).map((name) => html`<a href="${withQuery('/search', shell.query, { range: name === 'any' ? null : name, offset: null })}"${name === range ? html` aria-current="true"` : ''}>${RANGES[name]}</a>`)}</nav></div>
${answer ? results(answer, { filter, offset: query.offset, near, now: shell.now, query: shell.query }) : html`<p class="lede">Search for a product, a version, an option that was renamed, an advisory.</p>`}</div>`,
    };
  },
});

interface View {
  filter: Filter;
  offset: number;
  near: NearNames | null;
  now: number;
  query: URLSearchParams;
}

// What could have been meant where nothing was found.
interface NearNames {
  slugs: string[];
  // What the registry knows of a domain; null: the text is none.
  domain: DomainLookup | null;
}

function isEmpty({ orgs, catalog, collections, releases, chunks = [] }: SearchAnswer): boolean {
  return [orgs, catalog, collections, releases, chunks].every((list) => list.length === 0);
}

const DOMAIN = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$/i;

async function nearNames(ctx: Context, q: string): Promise<NearNames> {
  const [slugs, domain] = await Promise.all([suggestSlugs(ctx, [q]), DOMAIN.test(q) ? knownDomain(ctx, q) : null]);
  return { slugs: slugs.get(q) ?? [], domain };
}

// The call answers 404 for a domain that nobody has.
async function knownDomain(ctx: Context, domain: string): Promise<DomainLookup> {
  try {
    return await lookUpDomain(ctx, { domain });
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { domain, org: null, products: [] };
    throw error;
  }
}

function results(answer: SearchAnswer, view: View): Html {
  const { filter, offset } = view;
  const { hitCap, listCap, listed, lexicalHits, degraded } = answer._meta.search;
  const entities = offset === 0 ? entitySections(answer, filter) : [];
  const hits = hitRows(answer, filter, view.now);
  if (entities.length === 0 && hits.length === 0) return nothing(answer, view);
  const words = [
    listCap ? `First ${listed.toLocaleString('en')} shown` : listed > 0 ? plural(listed, 'hit') : 'Names alone match',
    degraded ? 'by words only: the index of meanings is not ready' : 'by words and meaning',
  ].join(', ');
  const unfounded =
    lexicalHits === 0 && hits.length > 0
      ? html`<p class="notice box" data-level="info">${icon('info')}Nothing holds these words. What follows is near in meaning.</p>`
      : '';
  return html`<p class="small muted" role="status">${words}.</p>${unfounded}${entities}${hits.length > 0 ? html`<section class="block"><h2>Releases and changelogs</h2><div class="days">${hits}</div></section>` : ''}${hitCap ? pager(`From ${offset + 1}`, { path: withQuery('/search', view.query, { offset: String(offset + HITS) }), name: 'More' }) : ''}`;
}

function entitySections(answer: SearchAnswer, filter: Filter): Html[] {
  const all = filter === 'all';
  const orgs = all || filter === 'orgs' ? answer.orgs.slice(0, all ? SHOWN.orgs : undefined) : [];
  const products = all || filter === 'products' ? answer.catalog.slice(0, all ? SHOWN.products : undefined) : [];
  const collections =
    all || filter === 'collections' ? answer.collections.slice(0, all ? SHOWN.collections : undefined) : [];
  const rows = [
    ...orgs.map(
      (org) =>
        html`<article class="org">${avatar(org.name, org.avatarUrl, 'm')}<div><h3><a href="${orgPath(org.slug)}">${org.name}</a></h3><p>${org.domain ?? ''}</p></div><p class="right">Organization</p></article>`,
    ),
    ...products.map(
      (entry) =>
        html`<article class="org">${avatar(entry.name, entry.orgAvatarUrl, 'm')}<div><h3><a href="${entry.orgSlug ? productPath(entry.orgSlug, entry.slug) : sourcePath(null, entry.slug)}">${entry.name}</a></h3><p>${entry.orgName ?? ''}</p></div><p class="right">${entry.entryType === 'product' ? 'Product' : 'Source'}</p></article>`,
    ),
    ...collections.map(
      (collection) =>
        html`<article class="org">${avatar(collection.name, null, 'm')}<div><h3><a href="${collectionPath(collection.slug)}">${collection.name}</a></h3><p>${collection.description ?? ''}</p></div><p class="right">Collection</p></article>`,
    ),
  ];
  return rows.length > 0
    ? [html`<section class="block first"><h2>Organizations, products and collections</h2><div>${rows}</div></section>`]
    : [];
}

function hitRows(answer: SearchAnswer, filter: Filter, now: number): Html[] {
  const releases = filter === 'all' || filter === 'releases' ? answer.releases : [];
  const chunks = filter === 'all' || filter === 'changelogs' ? (answer.chunks ?? []) : [];
  return [
    ...releases.map((hit) => ({ rank: hit.rank, row: releaseHitRow(hit, now) })),
    ...chunks.map((hit) => ({ rank: hit.rank, row: passageRow(hit) })),
  ]
    .sort((a, b) => a.rank - b.rank)
    .map(({ row }) => row);
}

function releaseHitRow(hit: ReleaseHit, now: number): Html {
  const breaks = hit.breaking === 'major' || hit.breaking === 'minor';
  const title = hit.titleHighlights.length > 0 ? highlight(hit.title, hit.titleHighlights) : rowTitle(hit);
  const original = outsideUrl(hit.url);
  return html`<article class="row" data-release-id="${hit.id}"${breaks ? html` data-breaking="${hit.breaking}"` : ''}><div class="row-subject"><a class="row-name" href="${sourcePath(hit.orgSlug, hit.sourceSlug)}">${avatar(hit.orgName ?? hit.sourceName, null)}<span>${hit.orgName ?? hit.sourceName}</span></a>${versionMark(hit.version)}</div>
<div class="row-main"><h3 class="row-title">${breaks ? html`${verdictBadge(hit.breaking)} ` : ''}${hit.prerelease ? html`${PRERELEASE} ` : ''}<a href="${releasePath(hit)}">${title}</a></h3><p class="row-sum two">${highlight(hit.snippet, hit.highlights)}</p></div>
<div class="row-side">${ago(hit.publishedAt, now)}${original ? html`<a class="go" href="${original}" rel="nofollow noopener noreferrer" aria-label="Original note: ${hit.title}">${icon('external')}</a>` : ''}</div></article>`;
}

function passageRow(hit: ChunkHit): Html {
  const path = `${sourcePath(hit.orgSlug, hit.sourceSlug)}/changelog?${new URLSearchParams({ path: hit.filePath, offset: String(hit.offset) })}#passage`;
  return html`<article class="row"><div class="row-subject"><a class="row-name" href="${sourcePath(hit.orgSlug, hit.sourceSlug)}">${icon('page')}<span>${hit.sourceName}</span></a>${versionMark(hit.version)}</div>
<div class="row-main"><h3 class="row-title"><span class="badge line">Changelog passage</span> <a href="${path}">${hit.heading ?? hit.filePath}</a></h3><p class="row-sum two">${highlight(hit.snippet, hit.highlights)}</p></div><div class="row-side"></div></article>`;
}

const REMOVABLE = { filter: FILTERS, range: RANGES } as const;

// Says what was looked for in vain, and each way on that could find something.
function nothing(answer: SearchAnswer, { query, near }: View): Html {
  const filters = (['filter', 'range'] as const).flatMap((name) => {
    const words = (REMOVABLE[name] as Record<string, string>)[query.get(name) ?? ''];
    return words ? [{ words, path: withQuery('/search', query, { [name]: null, offset: null }) }] : [];
  });
  const narrowed = filters.length > 0 ? ' with these filters' : '';
  const ways = [
    ...filters.map(({ words, path }) => html`<li><a href="${path}">Search without “${words}”</a></li>`),
    ...(near?.slugs ?? []).map(
      (slug) => html`<li>Did you mean <a href="/search?q=${encodeURIComponent(slug)}">${slug}</a>?</li>`,
    ),
    near?.domain ? html`<li>${domainWords(near.domain)}</li>` : '',
    answer.lookup
      ? html`<li>It reads like a repository that this registry does not follow: <a href="https://github.com/${answer.lookup.coordinate}" rel="nofollow noopener noreferrer">${answer.lookup.coordinate}</a>.</li>`
      : '',
  ].filter((way) => way !== '');
  return html`<div class="block" role="status">${empty({
    title: `Nothing found for “${answer.query}”`,
    text: html`No organization, product, release or changelog passage matches${narrowed}.`,
    action: { path: '/catalog', name: 'Browse the catalog' },
  })}</div>${ways.length > 0 ? html`<ul class="linklist">${ways}</ul>` : ''}`;
}

function domainWords({ domain, org }: DomainLookup): Html {
  if (!org) return html`No organization of this registry has the domain ${domain}.`;
  return html`The domain ${domain} belongs to <a href="${orgPath(org.slug)}">${org.name}</a>.`;
}
