import {
  endedWait,
  heldSource,
  heldSources as heldSourcesShape,
  waitingHosts as waitingHostsShape,
} from '../../contract/holds.ts';
import { limitLike, pageNumber } from '../../contract/query.ts';
import { acceptHold, heldSources } from '../../ingest/schedule/holds.ts';
import { endWait, waitingHosts } from '../../ingest/schedule/waiting-hosts.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Administration';

export const holdRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/admin/sources/held',
    summary: 'Sources that brought more new releases than their habit allows',
    description:
      'Such a source is paused, and nothing of what it brought is stored or announced until an operator accepts it. A fetch with `dryRun` shows what it would bring.',
    tag,
    access: 'admin',
    query: { page: pageNumber(), limit: limitLike({ default: 50, max: 500 }) },
    answers: { 200: heldSourcesShape },
    run: (ctx, { query }) => heldSources(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/admin/sources/{src}/accept',
    summary: 'Accept what a held source has brought',
    description:
      'The source is polled as before. Its next fetch stores all that it finds, without announcing it; after that its habit counts again.',
    tag,
    access: 'admin',
    answers: { 200: heldSource },
    errors: ['not_found'],
    run: (ctx, { params }) => acceptHold(ctx, params.src ?? ''),
  }),
  route({
    method: 'GET',
    path: '/admin/hosts/waiting',
    summary: 'Hosts that asked to be left alone, the longest wait first',
    description:
      'A host waits when it answers with a rate limit or `Retry-After`, at most 24 hours whatever it asks for.',
    tag,
    access: 'admin',
    answers: { 200: waitingHostsShape },
    run: async (ctx) => ({ items: await waitingHosts(ctx) }),
  }),
  route({
    method: 'DELETE',
    path: '/admin/hosts/{host}/wait',
    summary: 'End the wait of a host',
    description: 'The host may be asked at once, and the sources that it throttled are fetched again.',
    tag,
    access: 'admin',
    answers: { 200: endedWait },
    errors: ['not_found'],
    run: async (ctx, { params }) => ({ ended: true, sources: await endWait(ctx, params.host ?? '') }),
  }),
];
