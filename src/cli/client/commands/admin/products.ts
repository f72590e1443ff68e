// Operator commands for products.
import type { Argument } from '../../../command.ts';
import { path } from '../../api.ts';
import type { Session } from '../../client-command.ts';
import { bodyField, changeOf, operatorCommand } from '../../operator-command.ts';
import { byIdOrSlug, productIdOf } from '../../references.ts';
import {
  ALIASES,
  AVATAR,
  CATEGORY,
  DESCRIPTION,
  deletion,
  HIDDEN,
  KIND,
  NAME,
  ORG,
  restoration,
  SLUG,
  TAGS,
} from './entities.ts';

const PRODUCT: Argument = { name: 'product', help: 'org/slug or id of the product' };

const PRODUCT_FIELDS = [
  bodyField({ name: 'url', kind: 'text', help: 'page of the product' }),
  DESCRIPTION,
  CATEGORY,
  KIND,
  AVATAR,
  TAGS,
  ALIASES,
  HIDDEN,
];

const productPath = async ({ args, api }: Session) => path`/v1/products/${await productIdOf(api, args.product ?? '')}`;

export const adminProductCommands = [
  operatorCommand({
    name: 'admin product create',
    summary: 'Create a product of an org',
    arguments: [ORG, { name: 'name', help: 'name of the product' }],
    fields: [SLUG, ...PRODUCT_FIELDS],
    examples: ['registry admin product create acme "Acme CLI" --kind tool'],
    call: ({ args }, body) => ({
      method: 'POST',
      path: '/v1/products',
      body: { ...body, ...byIdOrSlug('org', args.org ?? ''), name: args.name },
    }),
  }),
  operatorCommand({
    name: 'admin product edit',
    summary: 'Change a product',
    arguments: [PRODUCT],
    fields: [NAME, SLUG, ...PRODUCT_FIELDS],
    clears: ['url', 'description', 'category', 'kind', 'avatarUrl', 'notice'],
    examples: ['registry admin product edit acme/cli --kind sdk'],
    call: async (session, body) => ({ method: 'PATCH', path: await productPath(session), body: changeOf(body) }),
  }),
  deletion({ entity: 'product', argument: PRODUCT, idOf: productIdOf }),
  restoration('product'),
];
