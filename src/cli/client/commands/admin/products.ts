// Operator commands for products.
import { PRODUCT_EDITS } from '../../../../contract/edited-fields.ts';
import type { Argument } from '../../../command.ts';
import { path } from '../../api.ts';
import type { Session } from '../../client-command.ts';
import { changeOf, clearable, operatorCommand, withoutName } from '../../operator-command.ts';
import { byIdOrSlug, productIdOf } from '../../references.ts';
import { deletion, ORG, restoration } from './entities.ts';

const PRODUCT: Argument = { name: 'product', help: 'org/slug or id of the product' };

const productPath = async ({ args, api }: Session) => path`/v1/products/${await productIdOf(api, args.product ?? '')}`;

export const adminProductCommands = [
  operatorCommand({
    name: 'admin product create',
    summary: 'Create a product of an org',
    arguments: [ORG, { name: 'name', help: 'name of the product' }],
    fields: withoutName(PRODUCT_EDITS),
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
    fields: PRODUCT_EDITS,
    clears: [...clearable(PRODUCT_EDITS), 'notice'],
    examples: ['registry admin product edit acme/cli --kind sdk'],
    call: async (session, body) => ({ method: 'PATCH', path: await productPath(session), body: changeOf(body) }),
  }),
  deletion({ entity: 'product', argument: PRODUCT, idOf: productIdOf }),
  restoration('product'),
];
