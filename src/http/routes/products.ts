import { z } from 'zod';
import { pageOf } from '../../contract/pagination.ts';
import { param } from '../../contract/parameters.ts';
import { productDetail, productRecord } from '../../contract/product.ts';
import { limitLike, pageNumber, text } from '../../contract/query.ts';
import { openProduct } from '../../entities/open.ts';
import { listProducts } from '../../entities/products/list.ts';
import { productPath } from '../../entities/resolve.ts';
import { tagNamesOf } from '../../entities/taxonomy/entity-labels.ts';
import { readProduct } from '../../releases/details/product.ts';
import { productMarkdown } from '../../releases/markdown/product.ts';
import { bothPaths, type RouteDeclaration, route } from '../kernel/route.ts';
import { feedFilter, feedPage, plainFeedQuery } from './feed-query.ts';

const tag = 'Products';

// The value is passed on unparsed: an alias is accepted as well as a category, and an empty value is an error.
const category = z
  .array(z.string())
  .default([])
  .transform((values) => values[0])
  .meta({ param: { type: 'string' }, description: 'Slug of a category, or one of its aliases.' });

export const productRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/products',
    summary: 'Products of all orgs, by name',
    description: 'A page of products over all organizations. `envelope=false` answers the bare list.',
    tag,
    access: 'public',
    query: {
      orgId: param.orgId,
      kind: param.kind,
      category,
      q: text().describe('Text to look for.'),
      query: text().describe('Another name of `q`.'),
      include_hidden: param.include_hidden,
      envelope: param.envelope,
      page: pageNumber(),
      limit: limitLike({ default: 500, max: 500 }),
    },
    answers: { 200: z.union([pageOf(productRecord), z.array(productRecord)]) },
    errors: ['bad_request'],
    cache: [60, 30],
    run: async (ctx, { query }) => {
      const q = query.q ?? query.query;
      const page = await listProducts(ctx, { ...query, q, includeHidden: query.include_hidden });
      return query.envelope === false ? page.items : page;
    },
  }),
  ...bothPaths('products', '', {
    method: 'GET',
    summary: 'A product with its sources, figures, overview and releases',
    description:
      'Everything about one product with a page of its releases. `Accept: text/markdown` answers it as text.',
    tag,
    access: 'public',
    query: plainFeedQuery,
    answers: { 200: productDetail },
    errors: ['bad_request', 'bare_slug_rejected', 'invalid_cursor', 'not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    markdown: productMarkdown,
    run: (ctx, { params, query }) =>
      readProduct(ctx, { path: productPath(params), filter: feedFilter(ctx, query), page: feedPage(query) }),
  }),
  ...bothPaths('products', '/tags', {
    method: 'GET',
    summary: 'Names of the tags of a product, in alphabetical order',
    description: 'A bare list of names.',
    tag,
    access: 'public',
    answers: { 200: z.array(z.string()) },
    errors: ['not_found'],
    cache: [300, 60],
    dependsOn: 'resolved',
    run: async (ctx, { params }) => {
      const { product } = await openProduct(ctx, productPath(params));
      return tagNamesOf(ctx, { productId: product.id });
    },
  }),
];
