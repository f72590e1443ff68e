import { z } from 'zod';
import { param } from '../../contract/parameters.ts';
import { integerIn, oneOf, text } from '../../contract/query.ts';
import { SUMMARY_TYPES, summaryInput, summaryRow } from '../../contract/summary.ts';
import { sourcePath } from '../../entities/resolve.ts';
import { listSourceSummaries, listSummaries } from '../../releases/summaries/list.ts';
import { upsertSummary } from '../../releases/summaries/upsert.ts';
import { bothPaths, type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Summaries';
const SUMMARY_BYTES = 1024 * 1024;

const filters = {
  type: oneOf(SUMMARY_TYPES).describe('Only summaries of this type.'),
  year: integerIn(1970, 9999).describe('Calendar year.'),
  month: integerIn(1, 12).describe('Month of the year, 1 to 12.'),
};

export const summaryRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/summaries',
    summary: 'Summaries of a source, rolling first, then the newest month',
    description: 'Written summaries of a source that is named by id or by organization and slug.',
    tag,
    access: 'public',
    query: {
      sourceId: text().describe('src_ id of the source.'),
      sourceSlug: text().describe('Slug of the source.'),
      orgSlug: param.orgSlug,
      ...filters,
    },
    answers: { 200: z.array(summaryRow) },
    errors: ['bad_request', 'not_found', 'ambiguous_slug'],
    cache: [60, 30],
    run: (ctx, { query }) => listSummaries(ctx, query),
  }),
  ...bothPaths('sources', '/summaries', {
    method: 'GET',
    summary: 'Summaries of one source',
    description: 'The rolling summary and those of single months, newest first.',
    tag,
    access: 'public',
    query: filters,
    answers: { 200: z.array(summaryRow) },
    errors: ['bad_request', 'bare_slug_rejected', 'not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: (ctx, { params, query }) => listSourceSummaries(ctx, { path: sourcePath(params), filter: query }),
  }),
  ...bothPaths('sources', '/summaries', {
    method: 'POST',
    summary: 'Write the summary of a source for a window or a month',
    description: 'Creates or replaces one summary: a rolling one with `windowDays`, or one of a month.',
    tag,
    access: 'write',
    body: summaryInput,
    bodyLimit: SUMMARY_BYTES,
    answers: { 200: summaryRow },
    errors: ['bare_slug_rejected', 'not_found'],
    run: (ctx, { params, body }) => upsertSummary(ctx, { path: sourcePath(params), summary: body }),
  }),
];
