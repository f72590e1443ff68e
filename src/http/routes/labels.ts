// Tags and domain aliases of organizations and products.

import { aliasInput, aliasWritten, tagAddition, tagRemoval, tagsWritten } from '../../contract/org-input.ts';
import { deleted } from '../../contract/scalars.ts';
import { addAlias, type LabelPath, removeAlias, writeTags } from '../../entities/orgs/labels.ts';
import { productPath } from '../../entities/resolve.ts';
import { created } from '../kernel/reply.ts';
import { bothPaths, type RouteDeclaration, route } from '../kernel/route.ts';

type LabelParams = Record<string, string>;

const orgLabels = (params: LabelParams): LabelPath => ({ org: params.org ?? '' });
const productLabels = (params: LabelParams): LabelPath => ({ product: productPath(params) });

function declarations(
  tag: string,
  path: (params: LabelParams) => LabelPath,
  location: (params: LabelParams) => string,
) {
  const shared = { tag, access: 'write', errors: ['not_found'] } as const;
  return {
    putTags: route({
      ...shared,
      method: 'PUT',
      path: '/tags',
      summary: 'Add tags, or replace them all; unknown tags are created',
      description:
        'Puts tags on the entry by name, and answers all of its tags afterwards. `mode: replace` drops those that are not listed.',
      body: tagAddition,
      answers: { 200: tagsWritten },
      run: (ctx, { params, body }) => writeTags(ctx, { path: path(params), ...body }),
    }),
    deleteTags: route({
      ...shared,
      method: 'DELETE',
      path: '/tags',
      summary: 'Take tags off',
      description: 'Removes tags by name. Tags that the entry does not carry are ignored.',
      body: tagRemoval,
      answers: { 200: tagsWritten },
      run: (ctx, { params, body }) => writeTags(ctx, { path: path(params), tags: body.tags, mode: 'remove' }),
    }),
    addAlias: route({
      ...shared,
      method: 'POST',
      path: '/aliases',
      summary: 'Add a further domain',
      description: 'The entry is found by this domain, too. A domain that another entry has is answered 409.',
      body: aliasInput,
      answers: { 201: aliasWritten },
      errors: ['not_found', 'conflict'],
      run: async (ctx, { params, body }) =>
        created(await addAlias(ctx, { path: path(params), domain: body.domain }), `/v1${location(params)}`),
    }),
    removeAlias: route({
      ...shared,
      method: 'DELETE',
      path: '/aliases/{domain}',
      summary: 'Take a further domain off',
      description: 'The entry is no longer found by this domain. The primary domain is not an alias.',
      answers: { 200: deleted },
      run: async (ctx, { params }) => {
        await removeAlias(ctx, { path: path(params), domain: params.domain ?? '' });
        return { deleted: true };
      },
    }),
  };
}

const ofOrgs = Object.values(
  declarations('Orgs', orgLabels, (params) => `/orgs/${encodeURIComponent(params.org ?? '')}`),
);
const ofProducts = Object.values(
  declarations('Products', productLabels, ({ prod, org = '', product = '' }) =>
    prod ? `/products/${prod}` : `/orgs/${encodeURIComponent(org)}/products/${encodeURIComponent(product)}`,
  ),
);

export const labelRoutes: RouteDeclaration[] = [
  ...ofOrgs.map((declaration) => ({ ...declaration, path: `/orgs/{org}${declaration.path}` })),
  ...ofProducts.flatMap((declaration) => bothPaths('products', declaration.path, declaration)),
];
