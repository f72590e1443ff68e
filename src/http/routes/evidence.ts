import { comparedPackages, evidenceWork } from '../../contract/evidence.ts';
import { requiredText } from '../../contract/query.ts';
import { MAX_QUERY_CHARACTERS } from '../../contract/whats-changed.ts';
import { comparePackages } from '../../packages/evidence/compare.ts';
import { readEvidenceWork } from '../../packages/evidence/work.ts';
import { Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { comparedPackagesExample } from './examples.ts';

const textLimit = { max: MAX_QUERY_CHARACTERS };
// A pair takes some seconds once its turn has come.
const RETRY_SECONDS = 20;

// A name with a scope is taken with its slash encoded, or as two segments.
const PATHS = ['/packages/{ecosystem}/{name}/compare', '/packages/{ecosystem}/{scope}/{name}/compare'] as const;

const compareRoutes = PATHS.map((path) =>
  route({
    method: 'GET',
    path,
    summary: 'What two published packages show side by side',
    description:
      'Compares the packages themselves: exports, types, commands, engines and peers of two versions of an npm package. A question downloads nothing: it orders the comparison (`pending`, with `Retry-After`), and a later answer has it. `not_ordered` says that this caller may not order more now. The slash of a scoped name may be encoded or plain.',
    tag: 'Packages',
    access: 'public',
    query: {
      from: requiredText(textLimit).meta({ description: 'The older version.', example: '1.0.0' }),
      to: requiredText(textLimit).meta({
        description: 'The newer version, or a tag such as `latest`.',
        example: 'latest',
      }),
    },
    answers: { 200: comparedPackages },
    example: comparedPackagesExample,
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    run: async (ctx, { params: { ecosystem = '', scope, name = '' }, query }) => {
      const full = scope === undefined ? name : `${scope}/${name}`;
      const answer = await comparePackages(ctx, { ecosystem, name: full, ...query });
      return answer.status === 'pending' ? new Reply(200, answer, { 'Retry-After': String(RETRY_SECONDS) }) : answer;
    },
  }),
);

export const evidenceRoutes: RouteDeclaration[] = [
  ...compareRoutes,
  route({
    method: 'GET',
    path: '/admin/evidence',
    summary: 'The work of comparing published packages',
    description:
      'What waits to be compared, what was downloaded today, what is stored, and which pairs could not be compared.',
    tag: 'Administration',
    access: 'admin',
    answers: { 200: evidenceWork },
    run: (ctx) => readEvidenceWork(ctx),
  }),
];
