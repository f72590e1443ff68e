import { lookupAnswer, lookupInput } from '../../contract/lookup-run.ts';
import { lookUp } from '../../ingest/lookups/look-up.ts';
import { withLookups } from '../../ingest/lookups/outside.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

export const lookupRunRoutes: RouteDeclaration[] = [
  route({
    method: 'POST',
    path: '/lookups',
    summary: 'Look a GitHub repository up, and read it when the registry does not know it yet',
    description:
      'Answers the source of the repository; an unknown one is read at once and kept hidden until an operator adds it. New sources are limited per day and by address.',
    tag: 'Lookups',
    access: 'public',
    limiters: ['lookups'],
    outbound: true,
    body: lookupInput,
    answers: { 200: lookupAnswer },
    errors: ['bad_request', 'forbidden', 'unauthorized', 'insufficient_scope', 'limit_exceeded'],
    run: (ctx, { body }) => lookUp(withLookups(ctx), body),
  }),
];
