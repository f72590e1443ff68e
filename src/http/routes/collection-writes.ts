import { collectionChange, collectionCreation, collectionRow } from '../../contract/collection.ts';
import { memberAdded, memberAddition, memberReplacement, membersWritten } from '../../contract/collection-members.ts';
import { changeCollection, createCollection, deleteCollection } from '../../entities/collections/write.ts';
import { addMember, removeMember, replaceMembers } from '../../entities/collections/write-members.ts';
import { created, noContent } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Collections';

export const collectionWriteRoutes: RouteDeclaration[] = [
  route({
    method: 'POST',
    path: '/collections',
    summary: 'Create a collection',
    description: 'Makes an empty collection. Without a slug one is made from the name; a taken slug is answered 409.',
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
    description: "Only the fields that are sent change. A change of the slug changes the collection's address.",
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
    description: 'Removes the collection and its list of members. The organizations and products themselves stay.',
    tag,
    access: 'write',
    answers: { 204: null },
    errors: ['not_found'],
    run: async (ctx, { params }) => {
      await deleteCollection(ctx, { collection: params.col ?? '' });
      return noContent();
    },
  }),
  route({
    method: 'PUT',
    path: '/collections/{col}/members',
    summary: 'Replace all members of a collection',
    description:
      'Sets the members and their order in one write. Send either `members` or, for organizations alone, `orgs`.',
    tag,
    access: 'write',
    body: memberReplacement,
    bodyExample: { members: [{ orgSlug: 'acme' }, { orgSlug: 'acme', productSlug: 'acme-cli' }] },
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
    description: 'Adds one member, named by id or slug. A member that is there already is answered 409.',
    tag,
    access: 'write',
    body: memberAddition,
    bodyExample: { orgSlug: 'acme' },
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
    description: 'Removes the organization from the list. The organization itself stays.',
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
    description: 'Removes the product from the list. The product itself stays.',
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
