import { changeCollection, createCollection, deleteCollection } from '../../catalog/collections/write.ts';
import { addMember, removeMember, replaceMembers } from '../../catalog/collections/write-members.ts';
import { collectionChange, collectionCreation, collectionRow } from '../../contract/collection.ts';
import { memberAdded, memberAddition, memberReplacement, membersWritten } from '../../contract/collection-members.ts';
import { created, noContent, type RouteDeclaration, route } from '../route.ts';

const tag = 'Collections';

export const collectionWriteRoutes: RouteDeclaration[] = [
  route({
    method: 'POST',
    path: '/collections',
    summary: 'Create a collection',
    tag,
    access: 'write',
    body: collectionCreation,
    answers: { 201: collectionRow },
    errors: ['conflict', 'slug_reserved'],
    run: async (ctx, { body }) => {
      const collection = await createCollection(ctx, body);
      return created(collection, `/v1/collections/${collection.slug}`);
    },
  }),
  route({
    method: 'PATCH',
    path: '/collections/{col}',
    summary: 'Change name, slug, description or the featured mark of a collection',
    tag,
    access: 'write',
    body: collectionChange,
    answers: { 200: collectionRow },
    errors: ['bad_request', 'not_found', 'conflict', 'slug_reserved'],
    run: (ctx, { params, body }) => changeCollection(ctx, { collection: params.col ?? '', change: body }),
  }),
  route({
    method: 'DELETE',
    path: '/collections/{col}',
    summary: 'Delete a collection for good; its members stay',
    tag,
    access: 'write',
    answers: { 204: null },
    errors: ['not_found'],
    run: async (ctx, { params }) => {
      await deleteCollection(ctx, params.col ?? '');
      return noContent();
    },
  }),
  route({
    method: 'PUT',
    path: '/collections/{col}/members',
    summary: 'Replace all members of a collection',
    tag,
    access: 'write',
    body: memberReplacement,
    answers: { 200: membersWritten },
    errors: ['not_found'],
    run: (ctx, { params, body }) =>
      replaceMembers(ctx, {
        collection: params.col ?? '',
        field: body.members ? 'members' : 'orgs',
        entries: body.members ?? body.orgs ?? [],
      }),
  }),
  route({
    method: 'POST',
    path: '/collections/{col}/members',
    summary: 'Add an org or a product to a collection',
    tag,
    access: 'write',
    body: memberAddition,
    answers: { 201: memberAdded },
    errors: ['not_found', 'conflict'],
    run: async (ctx, { params, body }) => {
      const added = await addMember(ctx, { collection: params.col ?? '', entry: body });
      return created(added, `/v1/collections/${added.collectionSlug}`);
    },
  }),
  route({
    method: 'DELETE',
    path: '/collections/{col}/members/{org}',
    summary: 'Take an org out of a collection',
    tag,
    access: 'write',
    answers: { 204: null },
    errors: ['not_found'],
    run: async (ctx, { params }) => {
      await removeMember(ctx, { collection: params.col ?? '', org: params.org ?? '' });
      return noContent();
    },
  }),
  route({
    method: 'DELETE',
    path: '/collections/{col}/members/products/{prod}',
    summary: 'Take a product out of a collection',
    tag,
    access: 'write',
    answers: { 204: null },
    errors: ['bare_slug_rejected', 'not_found'],
    run: async (ctx, { params }) => {
      await removeMember(ctx, { collection: params.col ?? '', product: params.prod ?? '' });
      return noContent();
    },
  }),
];
