// The results of a search: names first, then releases and changelog passages in rank order; without results, suggestions.
import type { DomainLookup } from '../../contract/lookup.ts';
import type { ChunkHit, ReleaseHit, SearchAnswer } from '../../contract/search.ts';
import { CODE_CLOSE, CODE_OPEN, unmark } from '../../domain/clean-text.ts';
import { ECOSYSTEM_WORDS } from '../../domain/ecosystems/index.ts';
import { snippetText } from '../../domain/snippets/snippet.ts';
import { collectionPath, orgPath, outsideUrl, productPath, releasePath, sourcePath, withQuery } from '../links.ts';
import { formatCount, type Html, html, plural } from './html.ts';
import { avatar, icon } from './icon.ts';
import { PRERELEASE, sourceTypeWord, verdictBadge, versionMark } from './marks.ts';
import { empty, pager } from './parts.ts';
import { rowTitle } from './release-list.ts';
import { ago } from './time.ts';

const SHOWN = { packages: 3, orgs: 4, products: 3, collections: 3, sources: 6 };

export type SearchTab = 'all' | 'packages' | 'orgs' | 'products' | 'collections' | 'releases' | 'changelogs';

interface SearchView {
  filter: SearchTab;
  offset: number;
  // The most hits on one page.
  limit: number;
  // Filters that could be left out, with the address without them.
  removable: readonly { words: string; path: string }[];
  near: NearNames | null;
  // The size of the registry, for a search without results.
  searched: { releases: number; sources: number } | null;
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
  const { filter, offset } = view;
  const { hitCap } = answer._meta.search;
  const entities = offset === 0 ? [...packageSection(answer, filter), ...entitySections(answer, filter)] : [];
  const hits = hitsOf(answer, filter);
  if (entities.length === 0 && hits.length === 0) return noResults(answer, view);
  const [held, near] = [hits.filter(holdsWords), hits.filter((hit) => !holdsWords(hit))];
  const rows = (list: readonly Hit[]) => html`<div class="days">${list.map((hit) => hitRow(hit, view.now))}</div>`;
  const next = hitCap
    ? { path: withQuery('/search', view.query, { offset: String(offset + view.limit) }), name: 'Next' }
    : null;
  const words = countWords(answer, view, hits.length);
  return html`<p class="small muted" role="status">${words}</p><div class="cols"><div>${entities}${
    held.length > 0
      ? html`<section class="block"><h2 class="sub-head">Releases and changelogs</h2>${rows(held)}</section>`
      : ''
  }${near.length > 0 ? html`<div class="meaning"><h2>Near in meaning</h2><p>${held.length > 0 ? 'These do not contain the words, but are about the same thing.' : 'Nothing contains the words. These are about the same thing.'}</p></div>${rows(near)}` : ''}${next || offset > 0 ? pager(words, next) : ''}</div>${bySource(hits, answer.query)}</div>`;
}

// Words that are marked below are there, however the hit was found.
function holdsWords(hit: Hit): boolean {
  const marked = [...hit.highlights, ...('titleHighlights' in hit ? hit.titleHighlights : [])];
  return hit.matchedBy !== 'meaning' || marked.length > 0;
}

// Counts of what is shown, and of the whole list that it is a part of.
function countWords({ _meta }: SearchAnswer, { offset, filter }: SearchView, shown: number): string {
  const { listed, listCap, returned } = _meta.search;
  if (returned === 0) return 'Only names match.';
  const all = `${formatCount(listed)}${listCap ? ' or more' : ''} releases and changelogs`;
  const span = `${offset + 1} to ${offset + returned} of ${all}`;
  if (filter === 'releases' || filter === 'changelogs')
    return `${formatCount(shown)} ${filter === 'releases' ? (shown === 1 ? 'release' : 'releases') : shown === 1 ? 'changelog' : 'changelogs'} among ${span}.`;
  return listed === returned && offset === 0
    ? `${plural(listed, 'release or changelog', 'releases and changelogs')}.`
    : `${span}.`;
}

// The sources that most of the hits come from, each with a search of its own.
function bySource(hits: readonly Hit[], query: string): Html {
  const sources = [...Map.groupBy(hits, ({ sourceId }) => sourceId).values()].sort((a, b) => b.length - a.length);
  if (sources.length < 2) return '';
  const rows = sources.slice(0, SHOWN.sources).flatMap((list) => {
    const [first] = list;
    if (!first) return [];
    const path = `${sourcePath(first.orgSlug, first.sourceSlug)}?${new URLSearchParams({ q: query })}`;
    return [html`<li><a href="${path}">${first.sourceName}</a><span class="muted">${list.length}</span></li>`];
  });
  return html`<aside class="panel" aria-label="Narrow the search"><section><h2>On this page, by source</h2><ul class="linklist">${rows}</ul></section></aside>`;
}

function packageSection({ packages }: SearchAnswer, filter: SearchTab): Html[] {
  const shown = filter === 'packages' ? packages : filter === 'all' ? packages.slice(0, SHOWN.packages) : [];
  if (shown.length === 0) return [];
  const rows = shown.map(
    ({ ecosystem, name, latest, webUrl }) =>
      html`<article class="org">${avatar(name, null, 'm')}<div><h3><a href="${releasePath({ webUrl })}">${name}</a></h3><p>${latest ? html`latest ${versionMark(latest)}` : 'newest version not known'}</p></div><p class="right">${ECOSYSTEM_WORDS[ecosystem]} package</p></article>`,
  );
  return [html`<section class="sp-top"><h2 class="sub-head">Packages</h2><div>${rows}</div></section>`];
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
    ? [
        html`<section class="sp-top"><h2 class="sub-head">Organizations, products and collections</h2><div>${rows}</div></section>`,
      ]
    : [];
}

type Hit = ({ kind: 'release' } & ReleaseHit) | ({ kind: 'chunk' } & ChunkHit);

function hitsOf(answer: SearchAnswer, filter: SearchTab): Hit[] {
  const releases = filter === 'all' || filter === 'releases' ? answer.releases : [];
  const chunks = filter === 'all' || filter === 'changelogs' ? (answer.chunks ?? []) : [];
  return [
    ...releases.map((hit): Hit => ({ kind: 'release', ...hit })),
    ...chunks.map((hit): Hit => ({ kind: 'chunk', ...hit })),
  ].sort((a, b) => a.rank - b.rank);
}

function hitRow(hit: Hit, now: number): Html {
  return hit.kind === 'release' ? releaseHitRow(hit, now) : passageRow(hit);
}

function releaseHitRow(hit: ReleaseHit, now: number): Html {
  const breaks = hit.breaking === 'major' || hit.breaking === 'minor';
  const title = hit.titleHighlights.length > 0 ? highlight(hit.title, hit.titleHighlights) : rowTitle(hit);
  const original = outsideUrl(hit.url);
  return html`<article class="row" data-release-id="${hit.id}"${breaks ? html` data-breaking="${hit.breaking}"` : ''}><div class="row-subject"><a class="row-name" href="${sourcePath(hit.orgSlug, hit.sourceSlug)}">${avatar(hit.orgName ?? hit.sourceName, null)}<span>${hit.sourceName}${hit.sourceType === 'scrape' ? '' : `, ${sourceTypeWord(hit.sourceType)}`}</span></a>${versionMark(hit.version)}</div>
<div class="row-main"><h3 class="row-title">${breaks ? html`${verdictBadge(hit.breaking)} ` : ''}${hit.prerelease ? html`${PRERELEASE} ` : ''}<a href="${releasePath(hit)}" dir="auto">${title}</a></h3>${hit.snippet ? html`<p class="row-sum two" dir="auto">${highlight(hit.snippet, hit.highlights)}</p>` : ''}</div>
<div class="row-side">${ago(hit.publishedAt, now)}${original ? html`<a class="go" href="${original}" rel="nofollow noopener noreferrer" aria-label="Original note: ${hit.title}">${icon('external')}</a>` : ''}</div></article>`;
}

function passageRow(hit: ChunkHit): Html {
  const path = `${sourcePath(hit.orgSlug, hit.sourceSlug)}/changelog?${new URLSearchParams({ path: hit.filePath, offset: String(hit.offset) })}#passage`;
  return html`<article class="row"><div class="row-subject"><a class="row-name" href="${sourcePath(hit.orgSlug, hit.sourceSlug)}">${icon('page')}<span>${hit.sourceName}, changelog</span></a>${versionMark(hit.version)}</div>
<div class="row-main"><h3 class="row-title"><a href="${path}" dir="auto">${passageTitle(hit)}</a></h3><p class="row-sum two" dir="auto">${highlight(hit.snippet, hit.highlights)}</p></div><div class="row-side"></div></article>`;
}

// The heading of a passage without the signs of its markup.
function passageTitle({ heading, filePath, version }: ChunkHit): string {
  const name = heading && snippetText(`${heading.replace(/^#+\s*/, '')}.`, 200).replace(/\.$/, '');
  if (!name) return version ?? filePath;
  return version && !name.includes(version) ? `${version}, under “${name}”` : name;
}

// Says what was not found and lists what could help.
function noResults(answer: SearchAnswer, { removable, near, query, searched }: SearchView): Html {
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
  const size = searched
    ? ` ${plural(searched.releases, 'release')} of ${plural(searched.sources, 'source')} ${searched.releases === 1 ? 'was' : 'were'} searched.`
    : '';
  const meaning =
    answer._meta.search.mode === 'semantic' || removable.length > 0
      ? { path: '/catalog', name: 'Browse the catalog' }
      : {
          path: withQuery('/search', query, { mode: 'semantic', offset: null }),
          name: 'Show what is close in meaning',
        };
  return html`<div class="sp-top" role="status">${empty({
    title: `Nothing matches “${answer.query}”`,
    text: html`No package, organization, product, release or changelog has these words${narrowed}.${size}`,
    action: meaning,
  })}</div>${suggestions.length > 0 ? html`<ul class="linklist">${suggestions}</ul>` : ''}`;
}

function domainWords({ domain, org }: DomainLookup): Html {
  if (!org) return html`No organization of this registry has the domain ${domain}.`;
  return html`The domain ${domain} belongs to <a href="${orgPath(org.slug)}">${org.name}</a>.`;
}

// Text with the search terms highlighted, and with the code that its delimiters enclose.

type Spans = readonly (readonly [number, number])[];

export function highlight(text: string, spans: Spans): Html {
  const parts: Html[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf(CODE_OPEN, at);
    const close = open === -1 ? -1 : text.indexOf(CODE_CLOSE, open);
    if (close === -1) break;
    parts.push(marked(text, spans, [at, open]), html`<code>${marked(text, spans, [open + 1, close])}</code>`);
    at = close + 1;
  }
  return html`${parts}${marked(text, spans, [at, text.length])}`;
}

// One stretch of the text. A snippet that begins or ends inside code has a lone delimiter, which is left out.
function marked(text: string, spans: Spans, [from, to]: readonly [number, number]): Html {
  const parts: Html[] = [];
  let at = from;
  for (const [start, end] of spans) {
    const [first, last] = [Math.max(start, at), Math.min(end, to)];
    if (first >= last) continue;
    parts.push(html`${unmark(text.slice(at, first))}<mark>${unmark(text.slice(first, last))}</mark>`);
    at = last;
  }
  return html`${parts}${unmark(text.slice(at, to))}`;
}
