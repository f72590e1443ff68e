import { z } from 'zod';
import { collectionDetail as collectionDetailShape, collectionListItem } from '../../contract/collection.ts';
import { pageOf } from '../../contract/pagination.ts';
import { param } from '../../contract/parameters.ts';
import { freeList, limitLike, pageNumber } from '../../contract/query.ts';
import { releaseFeed } from '../../contract/release.ts';
import { collectionsOfProduct, listCollections } from '../../entities/collections/collection-fields.ts';
import { collectionDetail } from '../../entities/collections/detail.ts';
import { openProduct } from '../../entities/open.ts';
import { productPath } from '../../entities/resolve.ts';
import { collectionFeed } from '../../releases/feeds/collection.ts';
import { feedMarkdown } from '../../releases/markdown/release.ts';
import { bothPaths, type RouteDeclaration, route } from '../kernel/route.ts';
import { feedFilter, feedPage, wideFeedQuery } from './feed-query.ts';

const tag = 'Collections';

export const collectionRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/collections',
    summary: 'Curated collections by name',
    description: 'A page of collections with their first members. `envelope=false` answers the bare list.',
    tag,
    access: 'public',
    query: {
      featured: param.featured,
      q: param.q,
      page: pageNumber(),
      limit: limitLike({ default: 500, max: 500 }),
      envelope: param.envelope,
    },
    answers: { 200: z.union([pageOf(collectionListItem), z.array(collectionListItem)]) },
    errors: ['bad_request'],
    cache: [300, 60],
    run: async (ctx, { query }) => {
      const page = await listCollections(ctx, query);
      return query.envelope === false ? page.items : page;
    },
  }),
  route({
    method: 'GET',
    path: '/collections/{col}',
    summary: 'A collection with its members',
    description: 'One collection with all its members in order, with the number of releases of each.',
    tag,
    access: 'public',
    answers: { 200: collectionDetailShape },
    errors: ['not_found'],
    cache: [300, 60],
    dependsOn: 'resolved',
    run: (ctx, { params }) => collectionDetail(ctx, params.col ?? ''),
  }),
  route({
    method: 'GET',
    path: '/collections/{col}/releases',
    summary: 'Releases of all members of a collection, newest first',
    description:
      'One feed over everything in the collection, page by page with a cursor. `Accept: text/markdown` answers it as text.',
    tag,
    access: 'public',
    query: {
      ...wideFeedQuery,
      orgs: param.orgs,
      products: freeList().describe('Only releases of these products, by slug or id; a comma list.'),
    },
    answers: { 200: releaseFeed },
    errors: ['bad_request', 'invalid_cursor', 'not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    markdown: (feed) => feedMarkdown({}, feed),
    run: (ctx, { params, query }) =>
      collectionFeed(ctx, {
        collection: params.col ?? '',
        orgs: query.orgs,
        products: query.products,
        filter: feedFilter(ctx, query),
        page: feedPage(query),
      }),
  }),
  ...bothPaths('products', '/collections', {
    method: 'GET',
    summary: 'Collections that hold this product, by name',
    description: 'All collections that list the product itself.',
    tag,
    access: 'public',
    answers: { 200: z.array(collectionListItem) },
    errors: ['bare_slug_rejected', 'not_found'],
    cache: [120, 60],
    dependsOn: 'resolved',
    run: async (ctx, { params }) => {
      const { product } = await openProduct(ctx, productPath(params));
      return collectionsOfProduct(ctx, product.id);
    },
  }),
];
