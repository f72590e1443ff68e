import { pageOf } from '../../contract/pagination.ts';
import { limitLike, pageNumber } from '../../contract/query.ts';
import { deleted } from '../../contract/scalars.ts';
import { tagChange, tagCreation, tagDetail as tagDetailShape, tagListItem, tagRow } from '../../contract/taxonomy.ts';
import { listTags, tagDetail } from '../../entities/taxonomy/tags.ts';
import { createTag, deleteTag, renameTag } from '../../entities/taxonomy/write-tags.ts';
import { created } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Taxonomy';

export const tagRoutes: RouteDeclaration[] = [
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
    description: 'One tag with everything that carries it, by its slug or its name.',
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
