// Reports with an address.

import { badRequest } from '../../contract/errors.ts';
import { listProgress, newReport, reportAnswer, reportInput } from '../../contract/report.ts';
import { MAX_FILE_CHARACTERS } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { deleteReport } from '../../packages/reports/delete.ts';
import { newDeletionToken, reportOfFiles } from '../../packages/reports/of-files.ts';
import { reportAnswerOf, reportProgress } from '../../packages/reports/read.ts';
import { noContent, Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { awaitProgress, waitSeconds } from './await-progress.ts';

const tag = 'Upgrades';

// A lockfile in JSON becomes a little longer, and a form adds little.
const BODY_LIMIT = MAX_FILE_CHARACTERS + 1024 * 1024;

export const reportRoutes: RouteDeclaration[] = [
  route({
    method: 'POST',
    path: '/reports',
    summary: 'A report with an address, of a lockfile, a diff or a bill of materials (beta)',
    description:
      'Takes the fields of the form for files, as JSON or as a form. Names and versions are stored and nothing else; packages of private registries and those that come from no registry are left out and counted. At most 20 reports an hour, 5,000 packages each. The packages are judged as they are read. It goes away after 30 days, or with its `deletionToken`, which is told once.',
    tag,
    access: 'public',
    accepts: 'any',
    body: reportInput,
    bodyLimit: BODY_LIMIT,
    limiters: ['project-files'],
    answers: { 201: newReport },
    errors: ['bad_request', 'rate_limited'],
    run: async (ctx, { body }) => {
      // The kernel does not check a body of either kind here.
      const sent = reportInput.safeParse(body);
      if (!sent.success) throw badRequest('text', 'must be an object or a form with text fields');
      const deletionToken = newDeletionToken(ctx);
      const report = await reportOfFiles(ctx, sent.data, deletionToken);
      const made = { ...report, deletionToken };
      return new Reply(201, made, { Location: `/v1/reports/${report.id}` }).repeatedAs(report);
    },
  }),
  route({
    method: 'GET',
    path: '/reports/{id}',
    summary: 'A report by its address (beta)',
    description:
      'All packages, highest risk first. Those that nobody has judged yet are asked about now, and what is missing is read; `progress` says how far that is.',
    tag,
    access: 'public',
    answers: { 200: reportAnswer },
    errors: ['not_found'],
    cache: 'never',
    cacheBytes: false,
    run: async (ctx, { params: { id = '' } }) => unlisted(await reportAnswerOf(ctx, id)),
  }),
  route({
    method: 'GET',
    path: '/reports/{id}/progress',
    summary: 'How far the packages of a report are read (beta)',
    description: 'With `wait` the answer comes as soon as something has changed, or after so many seconds.',
    tag,
    access: 'public',
    query: { wait: waitSeconds },
    answers: { 200: listProgress },
    errors: ['not_found'],
    cache: 'never',
    cacheBytes: false,
    run: async (ctx, { params: { id = '' }, query: { wait } }) =>
      unlisted(await awaitProgress(() => reportProgress(ctx, id), wait)),
  }),
  route({
    method: 'DELETE',
    path: '/reports/{id}',
    summary: 'Delete a report (beta)',
    description:
      'By the account that made it, or with the header `X-Deletion-Token`. Its address is unknown from then on.',
    tag,
    access: 'public',
    answers: { 204: null },
    errors: ['not_found', 'forbidden'],
    async run(ctx, { params: { id = '' } }, { headers }) {
      const given = headers['x-deletion-token'];
      await deleteReport(ctx, { id, secret: typeof given === 'string' ? given : null });
      return noContent();
    },
  }),
];

function unlisted(body: unknown): Reply {
  return new Reply(200, body, { 'X-Robots-Tag': 'noindex, nofollow' });
}
