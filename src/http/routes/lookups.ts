// Looks up entities by external names: a domain, a package, a slug, a repository.

import { badRequest } from '../../contract/errors.ts';
import { domainLookup, packageLookup, productLookup, sourceLookup } from '../../contract/lookup.ts';
import { lookupAnswer, lookupInput } from '../../contract/lookup-run.ts';
import { param } from '../../contract/parameters.ts';
import { requiredText } from '../../contract/query.ts';
import { lookUpCoordinate } from '../../entities/lookups/by-coordinate.ts';
import { lookUpPackage } from '../../entities/lookups/by-package.ts';
import { lookUpProduct, lookUpSource } from '../../entities/lookups/by-slug.ts';
import { lookUpWantedDomain } from '../../ingest/manifests/demand.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Lookups';

export const lookupRoutes: RouteDeclaration[] = [
  route({
    method: 'POST',
    path: '/lookups',
    summary: 'Look a GitHub repository or a package up, and read it when the registry does not know it yet',
    description:
      'Answers the source of the repository, given by `provider` and `coordinate`, or of the package, given by `ecosystem` and `package`. What is unknown is read at once and kept hidden until an operator adds it: of a package the repository that its registry names, else the changelog inside of its newest version. New sources are limited per day and by address.',
    tag,
    access: 'public',
    limiters: ['lookups'],
    outbound: true,
    body: lookupInput,
    answers: { 200: lookupAnswer },
    errors: ['bad_request', 'forbidden', 'unauthorized', 'insufficient_scope', 'limit_exceeded'],
    async run(ctx, { body }) {
      const { lookUp, withLookups } = await import('../../ingest/on-request.ts');
      return lookUp(withLookups(ctx), body);
    },
  }),
  route({
    method: 'GET',
    path: '/lookups/by-domain',
    summary: 'The org that has a domain and the products that carry it',
    description:
      'Finds an organization by its primary domain or an alias, and products by theirs. An unknown domain is answered 404.',
    tag,
    access: 'public',
    query: {
      domain: requiredText().meta({ description: 'A domain, or the URL of a page on it.', example: 'acme.example' }),
    },
    answers: { 200: domainLookup },
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    run: (ctx, { query }) => lookUpWantedDomain(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/lookups/source-by-slug',
    summary: 'The home of a bare source slug',
    description:
      'Tells which organization a source slug belongs to. A slug that several organizations use is answered 409 with the candidates.',
    tag,
    access: 'public',
    query: { slug: param.slug },
    answers: { 200: sourceLookup },
    errors: ['bad_request', 'not_found', 'ambiguous_slug'],
    cache: [60, 30],
    run: (ctx, { query }) => lookUpSource(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/lookups/product-by-slug',
    summary: 'The home of a bare product slug',
    description:
      'Tells which organization a product slug belongs to. A slug that several organizations use is answered 409 with the candidates.',
    tag,
    access: 'public',
    query: { slug: param.slug },
    answers: { 200: productLookup },
    errors: ['bad_request', 'not_found', 'ambiguous_slug'],
    cache: [60, 30],
    run: (ctx, { query }) => lookUpProduct(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/lookups/source-by-coordinate',
    summary: 'The source of a GitHub repository, by its name of today or a former one',
    description: 'Finds the source that reads a repository, also by a name that the repository had before.',
    tag,
    access: 'public',
    query: {
      coordinate: requiredText().meta({ description: 'owner/name of a GitHub repository.', example: 'acme/cli' }),
    },
    answers: { 200: sourceLookup },
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    run: (ctx, { query }) => lookUpCoordinate(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/lookups/package',
    summary: 'The source that tells about a package',
    description: 'Finds the source of a package in the package map, by ecosystem and exact name.',
    tag,
    access: 'public',
    query: {
      ecosystem: param.ecosystem,
      name: requiredText().meta({ description: 'Exact name of the package.', example: '@acme/cli' }),
    },
    answers: { 200: packageLookup },
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    run: async (ctx, { query: { ecosystem, name } }) => {
      if (ecosystem === undefined) throw badRequest('ecosystem', 'is required');
      return lookUpPackage(ctx, { ecosystem, name });
    },
  }),
];
