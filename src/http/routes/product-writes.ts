import { param } from '../../contract/parameters.ts';
import { productRow } from '../../contract/product.ts';
import { productChange, productCreation } from '../../contract/product-input.ts';
import { softDeleted } from '../../contract/scalars.ts';
import { labelIssues } from '../../entities/orgs/labels.ts';
import { createProduct } from '../../entities/products/create.ts';
import { deleteProduct } from '../../entities/products/delete.ts';
import { restoreProduct } from '../../entities/products/restore.ts';
import { updateProduct } from '../../entities/products/update.ts';
import { productPath } from '../../entities/resolve.ts';
import { created } from '../kernel/reply.ts';
import { bothPaths, type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Products';

export const productWriteRoutes: RouteDeclaration[] = [
  route({
    method: 'POST',
    path: '/products',
    summary: 'Create a product of an org',
    description:
      'Makes a product under an organization. A slug that a product of the organization has is answered 409.',
    tag,
    access: 'write',
    body: productCreation,
    bodyIssues: labelIssues,
    answers: { 201: productRow },
    errors: ['not_found', 'conflict', 'slug_reserved'],
    run: async (ctx, { body }) => {
      const product = await createProduct(ctx, body);
      return created(product, `/v1/products/${product.id}`);
    },
  }),
  ...bothPaths('products', '', {
    method: 'PATCH',
    summary: 'Change a product; tags and aliases are replaced',
    description: 'Only the fields that are sent change; null clears one. The organization cannot be changed.',
    tag,
    access: 'write',
    body: productChange,
    bodyIssues: labelIssues,
    answers: { 200: productRow },
    errors: ['bare_slug_rejected', 'not_found', 'conflict', 'slug_reserved'],
    run: (ctx, { params, body }) => updateProduct(ctx, { path: productPath(params), change: body }),
  }),
  ...bothPaths('products', '', {
    method: 'DELETE',
    summary: 'Delete a product; its sources stay without it',
    description:
      'Hides the product for 30 days; its sources lose it in the same write. `hard=true` deletes for good and needs the scope `admin`.',
    tag,
    access: 'write',
    query: { hard: param.hard },
    answers: { 200: softDeleted },
    errors: ['bad_request', 'bare_slug_rejected', 'not_found', 'insufficient_scope'],
    run: (ctx, { params, query }) => deleteProduct(ctx, { path: productPath(params), hard: query.hard ?? false }),
  }),
  route({
    method: 'POST',
    path: '/products/{prod}/restore',
    summary: 'Bring back a deleted product',
    description:
      'Undoes a deletion of the last 30 days, by id. Sources that it lost come back to it unless they have another product by now.',
    tag,
    access: 'write',
    answers: { 200: productRow },
    errors: ['bare_slug_rejected', 'not_found', 'conflict'],
    run: (ctx, { params }) => restoreProduct(ctx, { prod: params.prod ?? '' }),
  }),
];
