import { labelIssues } from '../../catalog/orgs/label-issues.ts';
import { createProduct } from '../../catalog/products/create.ts';
import { deleteProduct } from '../../catalog/products/delete.ts';
import { restoreProduct } from '../../catalog/products/restore.ts';
import { updateProduct } from '../../catalog/products/update.ts';
import { productPath } from '../../catalog/resolve.ts';
import { productRow } from '../../contract/product.ts';
import { productChange, productCreation } from '../../contract/product-input.ts';
import { flag } from '../../contract/query.ts';
import { softDeleted } from '../../contract/scalars.ts';
import { bothPaths, created, type RouteDeclaration, route } from '../route.ts';

const tag = 'Products';

export const productWriteRoutes: RouteDeclaration[] = [
  route({
    method: 'POST',
    path: '/products',
    summary: 'Create a product of an org',
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
    tag,
    access: 'write',
    query: { hard: flag() },
    answers: { 200: softDeleted },
    errors: ['bad_request', 'bare_slug_rejected', 'not_found', 'insufficient_scope'],
    run: (ctx, { params, query }) => deleteProduct(ctx, { path: productPath(params), hard: query.hard ?? false }),
  }),
  route({
    method: 'POST',
    path: '/products/{prod}/restore',
    summary: 'Bring back a deleted product',
    tag,
    access: 'write',
    answers: { 200: productRow },
    errors: ['bare_slug_rejected', 'not_found', 'conflict'],
    run: (ctx, { params }) => restoreProduct(ctx, { prod: params.prod ?? '' }),
  }),
];
