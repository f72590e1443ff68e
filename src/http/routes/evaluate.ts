import { evaluation } from '../../contract/evaluate.ts';
import { requiredText } from '../../contract/query.ts';
import { withProofs } from '../../ingest/adapters/prove.ts';
import { evaluateUrl } from '../../ingest/evaluate/evaluate.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const LIMIT_MS = 20_000;

export const evaluateRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/evaluate',
    summary: 'How an address would best be read as a source',
    description:
      'Reads the address and tells which way of reading fits best, with a sample of what would be found. It stores nothing and takes up to 20 seconds.',
    tag: 'Sources',
    access: 'admin',
    limiters: ['outbound'],
    cacheBytes: false,
    query: { url: requiredText().describe('Address of the page, feed or repository.') },
    answers: { 200: evaluation },
    errors: ['bad_request', 'upstream_error'],
    run: (ctx, { query }) => evaluateUrl(withProofs(ctx, AbortSignal.timeout(LIMIT_MS)), query),
  }),
];
