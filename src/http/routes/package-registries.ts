import {
  packageReading,
  packageReadings,
  packageReadRequest,
  packageRegistries,
  packageRegistry,
  packageRegistryInput,
} from '../../contract/package-reading.ts';
import { param } from '../../contract/parameters.ts';
import { flag, limitLike, oneOf, pageNumber, text } from '../../contract/query.ts';
import { LISTING_OUTCOMES } from '../../domain/published-package.ts';
import { deleteRegistry, putRegistry } from '../../ingest/registries/manage.ts';
import { listReadings, listRegistries } from '../../ingest/registries/overview.ts';
import { noContent } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Administration';

export const packageRegistryRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/admin/package-registries',
    summary: 'Package registries that are asked, with what they answer',
    description:
      'The public registries and those of single scopes. Values of tokens are never shown; what a registry of a scope lists is private.',
    tag,
    access: 'admin',
    answers: { 200: packageRegistries },
    run: async (ctx) => ({ items: await listRegistries(ctx) }),
  }),
  route({
    method: 'PUT',
    path: '/admin/package-registries',
    summary: 'Name the registry of a scope, its token and who may see its packages',
    description:
      'Creates or replaces the registry of one scope. The token is stored sealed, goes to this address alone and never along a redirect. Its packages are shown to machine tokens and to the accounts named here. What another registry said about packages of the scope is forgotten.',
    tag,
    access: 'admin',
    body: packageRegistryInput,
    answers: { 200: packageRegistry },
    run: (ctx, { body }) => putRegistry(ctx, body),
  }),
  route({
    method: 'DELETE',
    path: '/admin/package-registries/{scope}',
    summary: 'Forget the registry of a scope',
    description:
      'Removes its token, its admitted accounts, its entries of the package map and everything that was learnt from it. Names of the scope are asked for nowhere from then on, until another registry is named for it or it is made public. A registry that the environment names stays, without token and accounts.',
    tag,
    access: 'admin',
    query: {
      public: flag().describe('true: names of the scope may be asked for at the public registry from now on.'),
    },
    answers: { 204: null },
    errors: ['not_found'],
    async run(ctx, { params, query }) {
      await deleteRegistry(ctx, { scope: params.scope ?? '', public: query.public });
      return noContent();
    },
  }),
  route({
    method: 'GET',
    path: '/admin/packages',
    summary: 'Packages with their last reading, the longest failure first',
    description:
      'What package registries last said about each package, why a reading failed, and when it is tried again.',
    tag,
    access: 'admin',
    query: {
      q: text({ max: 214 }).describe('Text to look for.'),
      ecosystem: param.ecosystem,
      outcome: oneOf(LISTING_OUTCOMES).describe('Only packages whose last reading gave this.'),
      failing: flag().describe('true: only packages whose last reading failed.'),
      page: pageNumber(),
      limit: limitLike({ default: 50, max: 500 }),
    },
    answers: { 200: packageReadings },
    errors: ['bad_request'],
    run: (ctx, { query }) => listReadings(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/admin/packages/read',
    summary: 'Read what a registry lists of a package now',
    description:
      'Asks the registry while the caller waits, and stores what it lists. A failure is an answer too: its outcome and reason stand in it, and what was stored before stays.',
    tag,
    access: 'admin',
    body: packageReadRequest,
    answers: { 200: packageReading },
    errors: ['not_found'],
    async run(ctx, { body }) {
      const { readNow } = await import('../../ingest/on-request.ts');
      return readNow(ctx, body);
    },
  }),
];
