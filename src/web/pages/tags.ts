// /tags and /tags/{slug}: the tags of organizations and products.

import { pageNumber } from '../../contract/query.ts';
import { listTags, tagDetail } from '../../entities/taxonomy/tags.ts';
import { html, plural } from '../components/html.ts';
import { crumbs, empty, pager } from '../components/parts.ts';
import { taxonomyList } from '../components/taxonomy-list.ts';
import { breadcrumbs } from '../frame/document.ts';
import { tagPath, withQuery } from '../links.ts';
import { page } from '../page.ts';

const PAGE_SIZE = 200;

export const tagsPage = page({
  path: '/tags',
  summary: 'All tags',
  query: { page: pageNumber() },
  load: (ctx, { query }) => listTags(ctx, { page: query.page ?? 1, limit: PAGE_SIZE }),
  show: ({ items, pagination }, shell) => ({
    name: 'tags',
    head: { title: 'Tags', description: 'Labels of organizations and products.', canonical: '/tags' },
    body: html`<h1>Tags</h1><p class="lede">${plural(pagination.totalItems, 'label')} of organizations and products.</p>${
      items.length > 0
        ? html`<p class="block cluster">${items.map(({ slug, name, orgCount, productCount }) => html`<a class="tag" href="${tagPath(slug)}">${name}&nbsp;<span class="muted">${orgCount + productCount}</span></a>`)}</p>`
        : html`<div class="block">${empty({ title: 'No tags yet', text: 'No organization or product carries one.', action: { path: '/catalog', name: 'See the catalog' } })}</div>`
    }${pagination.hasMore ? pager(`Page ${pagination.page} of ${pagination.totalPages}`, { path: withQuery('/tags', shell.query, { page: String(pagination.page + 1) }), name: 'Next' }) : ''}`,
  }),
});

export const tagPage = page({
  path: '/tags/{slug}',
  summary: 'What carries a tag',
  load: (ctx, { params }) => tagDetail(ctx, params.slug ?? ''),
  show: (tag, shell) => ({
    name: 'tag',
    head: {
      title: tag.name,
      description: `Organizations and products tagged ${tag.name}.`,
      canonical: tagPath(tag.slug),
      jsonLd: [
        breadcrumbs(shell, [
          { name: 'Tags', path: '/tags' },
          { name: tag.name, path: tagPath(tag.slug) },
        ]),
      ],
    },
    body: html`${crumbs([{ name: 'Tags', path: '/tags' }], tag.name)}<h1>${tag.name}</h1><div class="block panel">${taxonomyList(tag)}</div>`,
  }),
});
