// /ask: where the one field leads. Whether anything is read for the question is decided by the page that it leads to.
import { text } from '../../contract/query.ts';
import { redirect } from '../../http/kernel/reply.ts';
import { route } from '../../http/kernel/route.ts';
import { leadOf } from '../../packages/asked/where-to.ts';
import { pageFailure } from '../frame/failure-page.ts';
import { ASK_PATH } from '../links.ts';

// As much as the search takes.
const MOST = 500;

export const askRoute = route({
  method: 'GET',
  path: ASK_PATH,
  summary: 'Leads to what a text asks for',
  tag: 'Pages',
  access: 'visitor',
  query: { q: text() },
  answers: null,
  cache: 'never',
  counts: true,
  failure: pageFailure,
  negotiates: ['html'],
  run: async (ctx, { query: { q = '' } }) => redirect((await leadOf(ctx, q.slice(0, MOST))).path),
});
