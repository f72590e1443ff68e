import { z } from 'zod';
import { feedMarkdown } from '../../catalog/markdown/release.ts';
import { categoryFeed } from '../../catalog/taxonomy/category-feed.ts';
import { categoryDetail, categoryOfPath } from '../../catalog/taxonomy/category-text.ts';
import { changeCategory } from '../../catalog/taxonomy/change-category.ts';
import { listCategories } from '../../catalog/taxonomy/list-categories.ts';
import { listTags, tagDetail } from '../../catalog/taxonomy/tags.ts';
import { createTag, deleteTag, renameTag } from '../../catalog/taxonomy/write-tags.ts';
import { pageOf } from '../../contract/pagination.ts';
import { freeList, limitLike, pageNumber } from '../../contract/query.ts';
import { releaseFeed } from '../../contract/release.ts';
import { deleted } from '../../contract/scalars.ts';
import {
  categoryChange,
  categoryDetail as categoryDetailShape,
  categoryListItem,
  categoryRow,
  tagChange,
  tagCreation,
  tagDetail as tagDetailShape,
  tagListItem,
  tagRow,
} from '../../contract/taxonomy.ts';
import { created, Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { feedFilter, feedPage, wideFeedQuery } from './feed-query.ts';

const tag = 'Taxonomy';

const categoryRoutes: RouteDeclaration[] = [
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
    query: { ...wideFeedQuery, orgs: freeList() },
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

const tagRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/tags',
    summary: 'Tags in use, by name',
    description: 'A page of tags with the number of organizations and products that carry them.',
    tag,
    access: 'public',
    query: { page: pageNumber(), limit: limitLike({ default: 500, max: 500 }) },
    answers: { 200: pageOf(tagListItem) },
    cache: [300, 60],
    run: (ctx, { query }) => listTags(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/tags/{slug}',
    summary: 'A tag with the orgs and products that carry it',
    description: 'One tag with everything that carries it.',
    tag,
    access: 'public',
    answers: { 200: tagDetailShape },
    errors: ['not_found'],
    cache: [300, 60],
    run: (ctx, { params }) => tagDetail(ctx, params.slug ?? ''),
  }),
  route({
    method: 'POST',
    path: '/tags',
    summary: 'Create a tag, or find it by its name',
    description: 'Answers 201 for a new tag and 200 for one that was there.',
    tag,
    access: 'write',
    body: tagCreation,
    answers: { 200: tagRow, 201: tagRow },
    run: async (ctx, { body }) => {
      const result = await createTag(ctx, body);
      return result.created ? created(result.tag, `/v1/tags/${result.tag.slug}`) : result.tag;
    },
  }),
  route({
    method: 'PATCH',
    path: '/tags/{slug}',
    summary: 'Rename a tag; its slug follows the name',
    description: 'Changes the name everywhere. A name that another tag has is answered 409.',
    tag,
    access: 'write',
    body: tagChange,
    answers: { 200: tagRow },
    errors: ['bad_request', 'not_found', 'conflict'],
    run: (ctx, { params, body }) => renameTag(ctx, { slug: params.slug ?? '', name: body.name }),
  }),
  route({
    method: 'DELETE',
    path: '/tags/{slug}',
    summary: 'Delete a tag and take it off everything that carries it',
    description: 'Removes the tag. What carried it stays.',
    tag,
    access: 'write',
    answers: { 200: deleted },
    errors: ['not_found'],
    run: async (ctx, { params }) => {
      await deleteTag(ctx, { slug: params.slug ?? '' });
      return { deleted: true };
    },
  }),
];

export const taxonomyRoutes: RouteDeclaration[] = [...categoryRoutes, ...tagRoutes];
