// /categories and /categories/{slug}: the registry by category.

import { categorySubject } from '../../catalog/atom/subjects.ts';
import { categoryFeed } from '../../catalog/taxonomy/category-feed.ts';
import { categoryDetail, categoryOfPath } from '../../catalog/taxonomy/category-text.ts';
import { listCategories } from '../../catalog/taxonomy/list-categories.ts';
import { emptyReleases } from '../components/empty-list.ts';
import { filterOf, filterRow, listQuery } from '../components/filter-row.ts';
import { html, plural } from '../components/html.ts';
import { asData } from '../components/org-frame.ts';
import { crumbs, pager } from '../components/parts.ts';
import { releaseList } from '../components/release-list.ts';
import { taxonomyList } from '../components/taxonomy-list.ts';
import { apiAnswer, segment } from '../formats/api.ts';
import { atomFeed } from '../formats/atom.ts';
import { breadcrumbs } from '../frame/head.ts';
import { categoryPath, withQuery } from '../links.ts';
import { page } from '../page.ts';

const ROWS = 30;

export const categoriesPage = page({
  path: '/categories',
  summary: 'All categories',
  load: async (ctx) => ({ categories: await listCategories(ctx) }),
  show: ({ categories }) => ({
    name: 'categories',
    head: {
      title: 'Categories',
      description: 'Organizations and products by what they are for.',
      canonical: '/categories',
    },
    body: html`<h1>Categories</h1><p class="lede">Organizations and products by what they are for.</p><div class="block cards">${categories.map(({ slug, name, description, orgCount, productCount }) => html`<a class="card" href="${categoryPath(slug)}"><h2><span>${name}</span></h2>${description ? html`<p>${description}</p>` : ''}<p>${countWords(orgCount, productCount)}</p></a>`)}</div>`,
  }),
});

// Only counts above 0 are told.
function countWords(orgs: number, products: number): string {
  const counts = [orgs > 0 ? plural(orgs, 'organization') : '', products > 0 ? plural(products, 'product') : ''];
  return counts.filter(Boolean).join(', ') || 'Nothing in it yet';
}

export const categoryPage = page({
  path: '/categories/{slug}',
  summary: 'A category and its releases',
  query: listQuery,
  moved: async (ctx, { slug = '' }) => {
    const category = await categoryOfPath(ctx, slug.toLowerCase());
    return category === slug ? null : categoryPath(category);
  },
  formats: {
    json: apiAnswer(({ slug = '' }) => `/categories/${segment(slug)}/releases`),
    md: apiAnswer(({ slug = '' }) => `/categories/${segment(slug)}/releases`),
    atom: atomFeed({ subject: async (ctx, { slug = '' }) => categorySubject(ctx, await categoryOfPath(ctx, slug)) }),
  },
  load: async (ctx, { params, query }) => {
    const category = await categoryOfPath(ctx, params.slug ?? '');
    const [detail, feed] = await Promise.all([
      categoryDetail(ctx, category),
      categoryFeed(ctx, {
        category,
        filter: filterOf(query, ctx.clock().getTime()),
        page: { cursor: query.cursor, limit: ROWS, includeContent: false },
      }),
    ]);
    return { detail, feed };
  },
  show: ({ detail, feed }, shell, { query }) => {
    const path = categoryPath(detail.slug);
    const next = feed.pagination.nextCursor;
    return {
      name: 'category',
      head: {
        title: detail.name,
        description: detail.description,
        canonical: path,
        forms: ['json', 'md', 'atom'],
        robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
        jsonLd: [
          { '@type': 'CollectionPage', name: detail.name, url: `${shell.webUrl}${path}` },
          breadcrumbs(shell, [
            { name: 'Categories', path: '/categories' },
            { name: detail.name, path },
          ]),
        ],
      },
      body: html`${crumbs([{ name: 'Categories', path: '/categories' }], detail.name)}<header class="entity"><div class="entity-text"><h1>${detail.name}</h1>${detail.description ? html`<p class="lede">${detail.description}</p>` : ''}</div></header>
<div class="cols"><div><h2 class="sr">Releases</h2>${filterRow(query, { kinds: true, types: true })}${feed.releases.length > 0 ? releaseList(feed.releases, { now: shell.now, lead: 'avatar' }) : emptyReleases({ name: detail.name, path, query, total: 0, sources: [] })}${next ? pager('Newest first', { path: withQuery(path, shell.query, { cursor: next }), name: 'Older' }) : ''}</div>
<aside class="panel" aria-label="In this category">${taxonomyList(detail)}${asData(path, ['atom', 'json', 'md'])}</aside></div>`,
    };
  },
});
