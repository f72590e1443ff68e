import { lookUpCoordinate } from '../../catalog/lookups/by-coordinate.ts';
import { lookUpPackage } from '../../catalog/lookups/by-package.ts';
import { lookUpProduct, lookUpSource } from '../../catalog/lookups/by-slug.ts';
import { ECOSYSTEMS } from '../../contract/enums.ts';
import { badRequest } from '../../contract/errors.ts';
import { domainLookup, packageLookup, productLookup, sourceLookup } from '../../contract/lookup.ts';
import { oneOf, requiredText } from '../../contract/query.ts';
import { lookUpWantedDomain } from '../../ingest/manifests/demand.ts';
import { type RouteDeclaration, route } from '../route.ts';

const tag = 'Lookups';

export const lookupRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/lookups/by-domain',
    summary: 'The org that has a domain and the products that carry it',
    tag,
    access: 'public',
    query: { domain: requiredText() },
    answers: { 200: domainLookup },
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    run: (ctx, { query }) => lookUpWantedDomain(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/lookups/source-by-slug',
    summary: 'The home of a bare source slug',
    tag,
    access: 'public',
    query: { slug: requiredText() },
    answers: { 200: sourceLookup },
    errors: ['bad_request', 'not_found', 'ambiguous_slug'],
    cache: [60, 30],
    run: (ctx, { query }) => lookUpSource(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/lookups/product-by-slug',
    summary: 'The home of a bare product slug',
    tag,
    access: 'public',
    query: { slug: requiredText() },
    answers: { 200: productLookup },
    errors: ['bad_request', 'not_found', 'ambiguous_slug'],
    cache: [60, 30],
    run: (ctx, { query }) => lookUpProduct(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/lookups/source-by-coordinate',
    summary: 'The source of a GitHub repository, by its name of today or a former one',
    tag,
    access: 'public',
    query: { coordinate: requiredText() },
    answers: { 200: sourceLookup },
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    run: (ctx, { query }) => lookUpCoordinate(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/lookups/package',
    summary: 'The source that tells about a package',
    tag,
    access: 'public',
    query: { ecosystem: oneOf(ECOSYSTEMS), name: requiredText() },
    answers: { 200: packageLookup },
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    run: async (ctx, { query: { ecosystem, name } }) => {
      if (ecosystem === undefined) throw badRequest('ecosystem', 'is required');
      return lookUpPackage(ctx, { ecosystem, name });
    },
  }),
];
