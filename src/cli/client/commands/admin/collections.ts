// Operator commands for collections and their members.
import { EDITED } from '../../../../contract/edited-fields.ts';
import type { Argument } from '../../../command.ts';
import { type Api, path } from '../../api.ts';
import { bodyField, changeOf, operatorCommand } from '../../operator-command.ts';
import { parseReference, productIdOf } from '../../references.ts';
import { orgIdOf } from './entities.ts';

const COLLECTION: Argument = { name: 'collection', help: 'slug or id of the collection' };
const COLLECTION_FIELDS = [
  EDITED.slug,
  EDITED.description,
  bodyField({ name: 'isFeatured', kind: 'switch', help: 'shown on the front page', flag: 'featured' }),
];
const MEMBER: Argument = { name: 'member', help: 'org or org/product', complete: 'entity' };

export const adminCollectionCommands = [
  operatorCommand({
    name: 'admin collection create',
    summary: 'Create a collection',
    arguments: [{ name: 'name', help: 'name of the collection' }],
    fields: COLLECTION_FIELDS,
    examples: ['registry admin collection create "Build tools" --featured'],
    call: ({ args }, body) => ({ method: 'POST', path: '/v1/collections', body: { ...body, name: args.name } }),
  }),
  operatorCommand({
    name: 'admin collection edit',
    summary: 'Change a collection',
    arguments: [COLLECTION],
    fields: [EDITED.name, ...COLLECTION_FIELDS],
    clears: ['description'],
    examples: ['registry admin collection edit build-tools --no-featured'],
    call: ({ args }, body) => ({
      method: 'PATCH',
      path: path`/v1/collections/${args.collection ?? ''}`,
      body: changeOf(body),
    }),
  }),
  operatorCommand({
    name: 'admin collection delete',
    summary: 'Delete a collection for good; its members stay',
    arguments: [COLLECTION],
    question: ({ args }) => `Delete the collection ${args.collection} for good?`,
    examples: ['registry admin collection delete build-tools --yes'],
    call: ({ args }) => ({ method: 'DELETE', path: path`/v1/collections/${args.collection ?? ''}` }),
    done: ({ args }) => `deleted ${args.collection}`,
  }),
  operatorCommand({
    name: 'admin collection add',
    summary: 'Add an org or a product to a collection',
    arguments: [COLLECTION, MEMBER],
    fields: [bodyField({ name: 'position', kind: 'number', help: 'place in the list; last unless given' })],
    examples: ['registry admin collection add build-tools acme/cli'],
    call: async ({ args, api }, body) => ({
      method: 'POST',
      path: path`/v1/collections/${args.collection ?? ''}/members`,
      body: { ...body, ...(await memberOf(api, args.member ?? '')) },
    }),
    done: ({ args }) => `added ${args.member} to ${args.collection}`,
  }),
  operatorCommand({
    name: 'admin collection remove',
    summary: 'Take an org or a product out of a collection',
    arguments: [COLLECTION, MEMBER],
    examples: ['registry admin collection remove build-tools acme/cli'],
    call: async ({ args, api }) => {
      const { orgId, productId } = await memberOf(api, args.member ?? '');
      const members = path`/v1/collections/${args.collection ?? ''}/members`;
      return {
        method: 'DELETE',
        path: productId === undefined ? `${members}/${orgId}` : `${members}/products/${productId}`,
      };
    },
    done: ({ args }) => `removed ${args.member} from ${args.collection}`,
  }),
];

async function memberOf(api: Api, text: string): Promise<{ orgId?: string; productId?: string }> {
  const reference = parseReference(text, api.server);
  const isProduct = reference.by === 'path' || (reference.by === 'id' && reference.entity === 'product');
  return isProduct ? { productId: await productIdOf(api, text) } : { orgId: await orgIdOf(api, text) };
}
