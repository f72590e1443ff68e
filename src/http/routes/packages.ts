import {
  PACKAGE_ORIGINS,
  packageDetail,
  packageEntry,
  packageInput,
  packageList,
  packageVersionList,
} from '../../contract/package.ts';
import { param } from '../../contract/parameters.ts';
import { limitLike, oneOf, pageNumber, text } from '../../contract/query.ts';
import { deleted } from '../../contract/scalars.ts';
import { listPackages } from '../../entities/packages/list.ts';
import { deletePackage, putPackage } from '../../entities/packages/put.ts';
import { packageVersions, packageDetail as readPackage } from '../../packages/details/detail.ts';
import { created, JSON_TYPE, Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Packages';

// A name with a scope is taken with its slash encoded, or as two segments.
const NAMES = ['/packages/{ecosystem}/{name}', '/packages/{ecosystem}/{scope}/{name}'] as const;

function askedPackage({ ecosystem = '', scope, name = '' }: Record<string, string>) {
  return { ecosystem, name: scope === undefined ? name : `${scope}/${name}` };
}

const detailRoutes = NAMES.map((path) =>
  route({
    method: 'GET',
    path,
    summary: 'One package',
    description:
      'What its package registry lists, how many of its versions have notes here, and the source that tells about it. The slash of a scoped name may be encoded or plain.',
    tag,
    access: 'public',
    answers: { 200: packageDetail },
    errors: ['not_found'],
    cache: [60, 30],
    run: (ctx, { params }) => readPackage(ctx, askedPackage(params)),
  }),
);

const versionRoutes = NAMES.map((path) =>
  route({
    method: 'GET',
    path: `${path}/versions`,
    summary: 'All versions of a package',
    description:
      'Every published version, highest first, with its release and verdict where notes are stored. Of a package that was never listed, the stored versions.',
    tag,
    access: 'public',
    query: { page: pageNumber(), limit: limitLike({ default: 100, max: 500 }) },
    answers: { 200: packageVersionList },
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    run: async (ctx, { params, query }) => {
      const asked = askedPackage(params);
      // `@scope` alone is no name, so `@scope/versions` is the package of that name.
      if (params.scope === undefined && /^@[^/]+$/.test(asked.name)) {
        const detail = await readPackage(ctx, { ...asked, name: `${asked.name}/versions` });
        return new Reply(200, JSON.stringify(detail), { 'Content-Type': JSON_TYPE });
      }
      return packageVersions(ctx, { ...asked, ...query });
    },
  }),
);

export const packageRoutes: RouteDeclaration[] = [
  ...detailRoutes,
  ...versionRoutes,
  route({
    method: 'GET',
    path: '/packages',
    summary: 'Which source tells about which package',
    description: 'The package map: names of packages and the sources that tell about them.',
    tag,
    access: 'public',
    query: {
      ecosystem: param.ecosystem,
      name: text().describe('Exact name of the package.'),
      source: param.source,
      origin: oneOf(PACKAGE_ORIGINS).describe(
        'Only entries that an operator wrote, or only those that reading sources found.',
      ),
      include_hidden: param.include_hidden,
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
