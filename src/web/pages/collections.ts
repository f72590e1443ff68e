// /collections and /collections/{slug}: the operator's collections and the releases of their members.

import { KINDS, SOURCE_TYPES } from '../../contract/enums.ts';
import { pageNumber } from '../../contract/query.ts';
import { idPrefixOf } from '../../domain/ids.ts';
import { listCollections } from '../../entities/collections/collection-fields.ts';
import { collectionDetail, resolveCollection } from '../../entities/collections/detail.ts';
import { collectionSubject } from '../../releases/atom/subjects.ts';
import { collectionFeed } from '../../releases/feeds/collection.ts';
import { emptyReleases } from '../components/empty-list.ts';
import { filterOf, filterRow, listQuery } from '../components/filter-row.ts';
import { html, plural, someOf } from '../components/html.ts';
import { avatar } from '../components/icon.ts';
import { asData } from '../components/org-frame.ts';
import { crumbs, empty, pager } from '../components/parts.ts';
import { releaseList } from '../components/release-list.ts';
import { apiAnswer, segment } from '../formats/api.ts';
import { atomFeed } from '../formats/atom.ts';
import { breadcrumbs } from '../frame/document.ts';
import { collectionPath, orgPath, productPath, withQuery } from '../links.ts';
import { page } from '../page.ts';

const ROWS = 30;
const CARDS = 100;

export const collectionsPage = page({
  path: '/collections',
  summary: 'All collections',
  query: { page: pageNumber() },
  load: (ctx, { query }) => listCollections(ctx, { page: query.page ?? 1, limit: CARDS }),
  show: ({ items, pagination }, shell) => ({
    name: 'collections',
    head: {
      title: 'Collections',
      description: 'Organizations and products that belong together.',
      canonical: '/collections',
    },
    body: html`<h1>Collections</h1><p class="lede">Organizations and products that belong together.</p>${
      items.length > 0
        ? html`<div class="block cards">${items.map((item) => html`<a class="card" href="${collectionPath(item.slug)}"><h2><span>${item.name}</span><span class="muted small">${item.memberCount}</span></h2>${item.description ? html`<p>${item.description}</p>` : ''}<p class="faces">${item.previewMembers.map((member) => avatar(member.name, member.kind === 'org' ? member.avatarUrl : member.org.avatarUrl, 'm'))}</p></a>`)}</div>`
        : html`<div class="block">${empty({ title: 'No collections yet', text: 'The operator of this registry has put none together.', action: { path: '/catalog', name: 'See the catalog' } })}</div>`
    }${pagination.hasMore ? pager(`Page ${pagination.page} of ${pagination.totalPages}`, { path: withQuery('/collections', shell.query, { page: String(pagination.page + 1) }), name: 'Next' }) : ''}`,
  }),
});

export const collectionPage = page({
  path: '/collections/{col}',
  summary: 'A collection and its releases',
  dependsOn: 'resolved',
  query: listQuery,
  moved: async (ctx, { col = '' }) => {
    const { slug } = await resolveCollection(ctx, idPrefixOf(col) === null ? col.toLowerCase() : col);
    return slug === col ? null : collectionPath(slug);
  },
  formats: {
    json: apiAnswer(({ col = '' }) => `/collections/${segment(col)}/releases`),
    md: apiAnswer(({ col = '' }) => `/collections/${segment(col)}/releases`),
    atom: atomFeed({ subject: (ctx, { col = '' }) => collectionSubject(ctx, col) }),
  },
  load: async (ctx, { params, query }) => {
    const collection = params.col ?? '';
    const [detail, feed] = await Promise.all([
      collectionDetail(ctx, collection),
      collectionFeed(ctx, {
        collection,
        filter: filterOf(query, ctx.clock().getTime()),
        page: { cursor: query.cursor, limit: ROWS, includeContent: false },
      }),
    ]);
    return { detail, feed };
  },
  show: ({ detail, feed }, shell, { query }) => {
    const path = collectionPath(detail.slug);
    const next = feed.pagination.nextCursor;
    const total = detail.members.reduce((sum, { releaseCount }) => sum + releaseCount, 0);
    return {
      name: 'collection',
      head: {
        title: detail.name,
        description: detail.description,
        canonical: path,
        forms: ['json', 'md', 'atom'],
        robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
        jsonLd: [
          { '@type': 'CollectionPage', name: detail.name, url: `${shell.webUrl}${path}` },
          breadcrumbs(shell, [
            { name: 'Collections', path: '/collections' },
            { name: detail.name, path },
          ]),
        ],
      },
      body: html`${crumbs([{ name: 'Collections', path: '/collections' }], detail.name)}<header class="entity"><div class="entity-text"><h1>${detail.name}</h1>${detail.description ? html`<p class="lede">${detail.description}</p>` : ''}<p class="cluster">${plural(detail.memberCount, 'member')}</p></div></header>
<div class="cols"><div><h2 class="sr">Releases</h2>${filterRow(query, { kinds: KINDS, types: SOURCE_TYPES })}${feed.releases.length > 0 ? releaseList(feed.releases, { now: shell.now, lead: 'avatar' }) : emptyReleases({ name: detail.name, path, query, total, sources: [] })}${next ? pager('Newest first', { path: withQuery(path, shell.query, { cursor: next }), name: 'Older' }) : ''}</div>
<aside class="panel" aria-label="Members"><section><h2>Members</h2><ul class="mini">${detail.members.map((member) => html`<li><a href="${member.kind === 'org' ? orgPath(member.slug) : productPath(member.org.slug, member.slug)}">${member.name}</a><span class="muted small">${someOf(member.releaseCount)}</span>${member.description ? html`<span class="sub">${member.description}</span>` : ''}</li>`)}</ul></section>${asData(path, ['atom', 'json', 'md'])}</aside></div>`,
    };
  },
});
