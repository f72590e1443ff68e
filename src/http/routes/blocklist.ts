import { blocked, blockedUrls, blockInput } from '../../contract/blocklist.ts';
import { param } from '../../contract/parameters.ts';
import { limitLike, pageNumber } from '../../contract/query.ts';
import { deleted } from '../../contract/scalars.ts';
import { blockUrl, findBlocking, listBlocked, unblockUrl } from '../../entities/registry/block-list.ts';
import { created } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Administration';

export const blocklistRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/admin/blocklist',
    summary: 'Blocked addresses and domains; with `url` the row that covers it, or null',
    description:
      'Lists what the registry never reads. With `url` it answers the one row that covers this address, or null.',
    tag,
    access: 'admin',
    query: { page: pageNumber(), limit: limitLike({ default: 500, max: 500 }), url: param.url },
    answers: { 200: blockedUrls },
    run: (ctx, { query }) => (query.url === undefined ? listBlocked(ctx, query) : findBlocking(ctx, query.url)),
  }),
  route({
    method: 'POST',
    path: '/admin/blocklist',
    summary: 'Block an address, or a domain with all below it',
    description: 'Sources and fetches refuse the address from now on. Blocking it again changes nothing.',
    tag,
    access: 'admin',
    body: blockInput,
    answers: { 201: blocked },
    run: async (ctx, { body }) => {
      await blockUrl(ctx, body);
      return created({ blocked: true }, `/v1/admin/blocklist?url=${encodeURIComponent(body.pattern)}`);
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/blocklist/{pattern}',
    summary: 'Lift a block',
    description: 'Takes a pattern off the block list. Sources that it stopped are read again when they are due.',
    tag,
    access: 'admin',
    answers: { 200: deleted },
    errors: ['not_found'],
    run: async (ctx, { params }) => {
      await unblockUrl(ctx, { pattern: params.pattern ?? '' });
      return { deleted: true };
    },
  }),
];
