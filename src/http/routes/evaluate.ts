import { changelogProbe } from '../../contract/changelog-probe.ts';
import { evaluation } from '../../contract/evaluate.ts';
import { requiredText } from '../../contract/query.ts';
import { sourcePath } from '../../entities/resolve.ts';
import { bothPaths, type RouteDeclaration, route } from '../kernel/route.ts';

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
    query: {
      url: requiredText().meta({
        description: 'Address of the page, feed or repository.',
        example: 'https://acme.example/changelog',
      }),
    },
    answers: { 200: evaluation },
    errors: ['bad_request', 'upstream_error'],
    async run(ctx, { query }) {
      const { evaluateUrl, withProofs } = await import('../../ingest/on-request.ts');
      return evaluateUrl(withProofs(ctx, AbortSignal.timeout(LIMIT_MS)), query);
    },
  }),
];

export const changelogProbeRoutes: RouteDeclaration[] = [
  ...bothPaths('sources', '/changelog/probe', {
    method: 'POST',
    summary: 'Which changelog files the repository of a source has today',
    description:
      'Asks the code host which changelog files exist, without storing anything. Calls are limited because they go to another server.',
    tag: 'Sources',
    access: 'write',
    limiters: ['outbound'],
    outbound: true,
    answers: { 200: changelogProbe },
    errors: ['bad_request', 'not_found', 'upstream_error'],
    async run(ctx, { params }) {
      const { probeChangelog } = await import('../../ingest/on-request.ts');
      return probeChangelog(ctx, sourcePath(params));
    },
  }),
];
