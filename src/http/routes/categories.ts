import { z } from 'zod';
import { param } from '../../contract/parameters.ts';
import { releaseFeed } from '../../contract/release.ts';
import {
  categoryChange,
  categoryDetail as categoryDetailShape,
  categoryListItem,
  categoryRow,
} from '../../contract/taxonomy.ts';
import { categoryDetail, categoryOfPath } from '../../entities/taxonomy/category-text.ts';
import { changeCategory } from '../../entities/taxonomy/change-category.ts';
import { listCategories } from '../../entities/taxonomy/list-categories.ts';
import { categoryFeed } from '../../releases/feeds/category.ts';
import { feedMarkdown } from '../../releases/markdown/release.ts';
import { Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { feedFilter, feedPage, wideFeedQuery } from './feed-query.ts';

const tag = 'Taxonomy';

export const categoryRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/categories',
    summary: 'All categories',
    description: 'The fixed list of categories with their counts and first members.',
    tag,
    access: 'public',
    answers: { 200: z.array(categoryListItem) },
    cache: [300, 60],
    run: (ctx) => listCategories(ctx),
  }),
  route({
    method: 'GET',
    path: '/categories/{slug}',
    summary: 'A category with its orgs and products; an alias leads to it',
    description: 'One category with everything in it. An alias is answered with a redirect to the category.',
    tag,
    access: 'public',
    answers: { 200: categoryDetailShape, 301: null },
    errors: ['not_found'],
    cache: [300, 60],
    run: async (ctx, { params }) => {
      const slug = await categoryOfPath(ctx, params.slug ?? '');
      if (slug !== params.slug) return new Reply(301, null, { Location: `/v1/categories/${slug}` });
      return categoryDetail(ctx, slug);
    },
  }),
  route({
    method: 'GET',
    path: '/categories/{slug}/releases',
    summary: 'Releases of a category, newest first',
    description: 'One feed over all organizations and products of the category, page by page with a cursor.',
    tag,
    access: 'public',
    query: { ...wideFeedQuery, orgs: param.orgs },
    answers: { 200: releaseFeed },
    errors: ['bad_request', 'invalid_cursor', 'not_found'],
    cache: [60, 30],
    markdown: (feed) => feedMarkdown({}, feed),
    run: (ctx, { params, query }) =>
      categoryFeed(ctx, {
        category: params.slug ?? '',
        orgs: query.orgs,
        filter: feedFilter(ctx, query),
        page: feedPage(query),
      }),
  }),
  route({
    method: 'PATCH',
    path: '/categories/{slug}',
    summary: 'Change name, description or aliases of a category; null goes back to the default',
    description: 'The list of categories is fixed; their names, texts and aliases can be changed.',
    tag,
    access: 'write',
    body: categoryChange,
    answers: { 200: categoryRow },
    errors: ['bad_request', 'not_found', 'conflict'],
    run: (ctx, { params, body }) => changeCategory(ctx, { category: params.slug ?? '', change: body }),
  }),
];
