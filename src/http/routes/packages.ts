import { listPackages } from '../../catalog/packages/list.ts';
import { deletePackage, putPackage } from '../../catalog/packages/put.ts';
import { ECOSYSTEMS } from '../../contract/enums.ts';
import { PACKAGE_ORIGINS, packageEntry, packageInput, packageList } from '../../contract/package.ts';
import { flag, limitLike, oneOf, pageNumber, text } from '../../contract/query.ts';
import { deleted } from '../../contract/scalars.ts';
import { created } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Packages';

export const packageRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/packages',
    summary: 'Which source tells about which package',
    description: 'The package map: names of packages and the sources that tell about them.',
    tag,
    access: 'public',
    query: {
      ecosystem: oneOf(ECOSYSTEMS),
      name: text(),
      source: text(),
      origin: oneOf(PACKAGE_ORIGINS),
      include_hidden: flag(),
      page: pageNumber(),
      limit: limitLike({ default: 500, max: 500 }),
    },
    answers: { 200: packageList },
    errors: ['bad_request'],
    cache: [60, 30],
    run: (ctx, { query }) => listPackages(ctx, { ...query, includeHidden: query.include_hidden }),
  }),
  route({
    method: 'PUT',
    path: '/packages',
    summary: 'Say which source tells about a package; replaces the entry of that name',
    description:
      'Creates or replaces one entry of the package map. What an operator wrote is never overwritten by a fetch.',
    tag,
    access: 'write',
    body: packageInput,
    answers: { 200: packageEntry, 201: packageEntry },
    errors: ['not_found'],
    run: async (ctx, { body }) => {
      const written = await putPackage(ctx, body);
      return written.created ? created(written.entry, `/v1/packages/${written.entry.id}`) : written.entry;
    },
  }),
  route({
    method: 'DELETE',
    path: '/packages/{pkg}',
    summary: 'Remove an entry of the package map',
    description: 'The package is no longer found by its name. The source stays.',
    tag,
    access: 'write',
    answers: { 200: deleted },
    errors: ['not_found'],
    run: async (ctx, { params }) => {
      await deletePackage(ctx, { id: params.pkg ?? '' });
      return { deleted: true };
    },
  }),
];
