// The results of a search: names first, then releases and changelog passages in rank order; without results, suggestions.
import type { DomainLookup } from '../../contract/lookup.ts';
import type { ChunkHit, ReleaseHit, SearchAnswer } from '../../contract/search.ts';
import { collectionPath, orgPath, outsideUrl, productPath, releasePath, sourcePath, withQuery } from '../links.ts';
import { avatar } from './avatar.ts';
import { PRERELEASE, verdictBadge } from './badge.ts';
import { highlight } from './highlight.ts';
import { formatCount, type Html, html, plural } from './html.ts';
import { icon } from './icon.ts';
import { empty, pager } from './parts.ts';
import { rowTitle } from './release-row.ts';
import { ago } from './time.ts';
import { versionMark } from './version.ts';

const SHOWN = { orgs: 4, products: 3, collections: 3 };

export type SearchTab = 'all' | 'orgs' | 'products' | 'collections' | 'releases' | 'changelogs';

interface SearchView {
  filter: SearchTab;
  offset: number;
  // The most hits on one page.
  limit: number;
  // Filters that could be left out, with the address without them.
  removable: readonly { words: string; path: string }[];
  near: NearNames | null;
  now: number;
  query: URLSearchParams;
}

// Suggestions for a search without results.
export interface NearNames {
  slugs: string[];
  // The entities of a domain; null when the text is no domain.
  domain: DomainLookup | null;
}
export function searchResults(answer: SearchAnswer, view: SearchView): Html {
  const { filter, offset, limit } = view;
  const { hitCap, listCap, listed, lexicalHits, degraded } = answer._meta.search;
  const entities = offset === 0 ? entitySections(answer, filter) : [];
  const hits = hitRows(answer, filter, view.now);
  if (entities.length === 0 && hits.length === 0) return noResults(answer, view);
  const words = [
    listCap ? `First ${formatCount(listed)} shown` : listed > 0 ? plural(listed, 'hit') : 'Names alone match',
    degraded ? 'by words only: the index of meanings is not ready' : 'by words and meaning',
  ].join(', ');
  const unfounded =
    lexicalHits === 0 && hits.length > 0
      ? html`<p class="notice box" data-level="info">${icon('info')}Nothing holds these words. What follows is near in meaning.</p>`
      : '';
  return html`<p class="small muted" role="status">${words}.</p>${unfounded}${entities}${hits.length > 0 ? html`<section class="block"><h2>Releases and changelogs</h2><div class="days">${hits}</div></section>` : ''}${hitCap ? pager(`From ${offset + 1}`, { path: withQuery('/search', view.query, { offset: String(offset + limit) }), name: 'More' }) : ''}`;
}

function entitySections(answer: SearchAnswer, filter: SearchTab): Html[] {
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

function hitRows(answer: SearchAnswer, filter: SearchTab, now: number): Html[] {
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

// Says what was not found and lists what could help.
function noResults(answer: SearchAnswer, { removable, near }: SearchView): Html {
  const narrowed = removable.length > 0 ? ' with these filters' : '';
  const suggestions = [
    ...removable.map(({ words, path }) => html`<li><a href="${path}">Search without “${words}”</a></li>`),
    ...(near?.slugs ?? []).map(
      (slug) => html`<li>Did you mean <a href="/search?q=${encodeURIComponent(slug)}">${slug}</a>?</li>`,
    ),
    near?.domain ? html`<li>${domainWords(near.domain)}</li>` : '',
    answer.lookup
      ? html`<li>It reads like a repository that this registry does not follow: <a href="https://github.com/${answer.lookup.coordinate}" rel="nofollow noopener noreferrer">${answer.lookup.coordinate}</a>.</li>`
      : '',
  ].filter((suggestion) => suggestion !== '');
  return html`<div class="block" role="status">${empty({
    title: `Nothing found for “${answer.query}”`,
    text: html`No organization, product, release or changelog passage matches${narrowed}.`,
    action: { path: '/catalog', name: 'Browse the catalog' },
  })}</div>${suggestions.length > 0 ? html`<ul class="linklist">${suggestions}</ul>` : ''}`;
}

function domainWords({ domain, org }: DomainLookup): Html {
  if (!org) return html`No organization of this registry has the domain ${domain}.`;
  return html`The domain ${domain} belongs to <a href="${orgPath(org.slug)}">${org.name}</a>.`;
}
