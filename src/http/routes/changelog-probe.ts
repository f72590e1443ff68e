import { sourcePath } from '../../catalog/resolve.ts';
import { changelogProbe } from '../../contract/changelog-probe.ts';
import { probeChangelog } from '../../ingest/evaluate/probe-changelog.ts';
import { bothPaths, type RouteDeclaration } from '../kernel/route.ts';

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
    run: (ctx, { params }) => probeChangelog(ctx, sourcePath(params)),
  }),
];
