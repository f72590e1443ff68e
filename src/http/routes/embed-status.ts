import { embedStatus } from '../../contract/embed-status.ts';
import { readEmbedStatus } from '../../search/vectors/embed-status.ts';
import { type RouteDeclaration, route } from '../route.ts';

export const embedStatusRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/admin/embed/status',
    summary: 'How much of the registry can be found by its meaning',
    tag: 'Administration',
    access: 'admin',
    query: {},
    answers: { 200: embedStatus },
    errors: [],
    run: (ctx) => readEmbedStatus(ctx),
  }),
];
