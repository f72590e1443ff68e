import { siteNoticeAnswer, siteNoticeInput } from '../../contract/notice.ts';
import { limitLike } from '../../contract/query.ts';
import { stats } from '../../contract/stats.ts';
import { putSiteNotice, readSiteNotice } from '../../entities/registry/site-notice.ts';
import { readStats } from '../../entities/registry/stats.ts';
import { Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Registry';

export const siteNoticeRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/site-notice',
    summary: 'The active notice of the site, if any',
    description: 'The message that pages show to visitors, or null.',
    tag,
    access: 'public',
    answers: { 200: siteNoticeAnswer },
    cache: [60, 300],
    run: async (ctx) => {
      const answer = await readSiteNotice(ctx);
      // The absence of a notice is not cached, so that a new notice appears at once.
      if (answer.notice || ctx.caller.kind !== 'anonymous') return answer;
      return new Reply(200, answer, { 'Cache-Control': 'no-store' });
    },
  }),
  route({
    method: 'PUT',
    path: '/site-notice',
    summary: 'Replace the notice of the site; inactive ones are drafts',
    description: 'Writes the one notice of the site. It is public while `active` is true.',
    tag,
    access: 'admin',
    body: siteNoticeInput,
    answers: { 200: siteNoticeAnswer },
    run: (ctx, { body }) => putSiteNotice(ctx, body),
  }),
];

export const statsRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/stats',
    summary: 'Figures of the registry, health of its sources and the latest fetches',
    description: 'Totals, how many sources are up to date, and the latest fetches, for a period of days.',
    tag: 'Registry',
    access: 'public',
    query: {
      days: limitLike({ default: 30, max: 3650 }).describe('Length of the period in days, counted back from now.'),
    },
    answers: { 200: stats },
    cache: [300, 60],
    run: (ctx, { query }) => readStats(ctx, query),
  }),
];
