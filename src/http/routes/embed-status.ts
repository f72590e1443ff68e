import { embedStatus } from '../../contract/embed-status.ts';
import { readEmbedStatus } from '../../search/vectors/embed-status.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

export const embedStatusRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/admin/embed/status',
    summary: 'How much of the registry can be found by its meaning',
    description:
      'Counts of releases, parts of changelog files and entities with and without a vector. `pending` falls to 0 when the worker is done.',
    tag: 'Administration',
    access: 'admin',
    query: {},
    answers: { 200: embedStatus },
    errors: [],
    run: (ctx) => readEmbedStatus(ctx),
  }),
];
