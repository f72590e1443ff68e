// /categories and /categories/{slug}: the registry by category.

import { KINDS, SOURCE_TYPES } from '../../contract/enums.ts';
import { categoryDetail, categoryOfPath } from '../../entities/taxonomy/category-text.ts';
import { listCategories } from '../../entities/taxonomy/list-categories.ts';
import { categorySubject } from '../../releases/atom/subjects.ts';
import { categoryFeed } from '../../releases/feeds/category.ts';
import { emptyReleases } from '../components/empty-list.ts';
import { activeFilters, filterOf, filterRow, type ListQuery, listQuery } from '../components/filter-row.ts';
import { type Html, html, join, plural } from '../components/html.ts';
import { asData } from '../components/org-frame.ts';
import { crumbs, empty, pager } from '../components/parts.ts';
import { releaseList } from '../components/release-list.ts';
import { taxonomyList } from '../components/taxonomy-list.ts';
import { apiAnswer, segment } from '../formats/api.ts';
import { atomFeed } from '../formats/atom.ts';
import { breadcrumbs } from '../frame/document.ts';
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
    body: html`<h1>Categories</h1><p class="lede">Organizations and products by what they are for.</p><div class="block cards">${categories.filter(isFilled).map(({ slug, name, description, orgCount, productCount }) => html`<a class="card" href="${categoryPath(slug)}"><h2><span>${name}</span></h2>${description ? html`<p>${description}</p>` : ''}<p>${countWords(orgCount, productCount)}</p></a>`)}</div>${emptyOnes(categories.filter((one) => !isFilled(one)))}`,
  }),
});

type Category = Awaited<ReturnType<typeof listCategories>>[number];

const isFilled = ({ orgCount, productCount }: Category) => orgCount + productCount > 0;

// Categories that hold nothing stand in one line below the others.
function emptyOnes(categories: readonly Category[]): Html {
  if (categories.length === 0) return '';
  const links = categories.map(({ slug, name }) => html`<a href="${categoryPath(slug)}">${name}</a>`);
  return html`<p class="block small muted">Nothing in them yet: ${join(links, html`, `)}.</p>`;
}

// Only counts above 0 are told.
function countWords(orgs: number, products: number): string {
  const counts = [orgs > 0 ? plural(orgs, 'organization') : '', products > 0 ? plural(products, 'product') : ''];
  return counts.filter(Boolean).join(', ');
}

type Detail = Awaited<ReturnType<typeof categoryDetail>>;

// A category has no sources of its own: it is empty, or nothing is known of those that are in it.
function nothingIn({ name, orgs, products }: Detail, path: string, query: ListQuery): Html {
  if (activeFilters(query).length > 0) return emptyReleases({ name, path, query, total: 0, sources: [] });
  const inIt = countWords(orgs.length, products.length);
  return orgs.length + products.length === 0
    ? empty({
        title: `Nothing is in ${name} yet`,
        text: 'No organization or product of this registry was put into this category.',
        action: { path: '/categories', name: 'All categories' },
      })
    : empty({
        title: 'No release is known',
        text: `${inIt} in ${name}, and no notes of ${orgs.length + products.length === 1 ? 'it' : 'them'} stored.`,
      });
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
    const isEmpty = feed.releases.length === 0 && activeFilters(query).length === 0 && !query.cursor;
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
<div class="cols"><div><h2 class="sr">Releases</h2>${isEmpty ? '' : filterRow(query, { kinds: KINDS, types: SOURCE_TYPES })}${feed.releases.length > 0 ? releaseList(feed.releases, { now: shell.now, lead: 'avatar' }) : nothingIn(detail, path, query)}${next ? pager('Newest first', { path: withQuery(path, shell.query, { cursor: next }), name: 'Older' }) : ''}</div>
<aside class="panel" aria-label="In this category">${taxonomyList(detail)}${asData(path, ['atom', 'json', 'md'])}</aside></div>`,
    };
  },
});
