import { z } from 'zod';
import {
  auditLog,
  fetchLog,
  fetchLogRow,
  fetchReport,
  stuckSources as stuckSourcesShape,
  usageReport,
  usageRow,
  usageStats as usageStatsShape,
} from '../../contract/admin-logs.ts';
import { FETCH_STATUSES } from '../../contract/enums.ts';
import { param } from '../../contract/parameters.ts';
import { flag, integerIn, limitLike, listOf, pageNumber, text } from '../../contract/query.ts';
import { listAuditLog } from '../../entities/registry/audit-log.ts';
import { listFetchLog } from '../../entities/registry/fetch-log.ts';
import { reportFetch } from '../../entities/registry/record-fetch.ts';
import { stuckSources } from '../../entities/registry/stuck-sources.ts';
import { reportUsage, usageStats } from '../../entities/registry/usage-log.ts';
import { created } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Administration';

export const logRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/admin/logs/fetch',
    summary: 'Fetches of all sources, newest first; with `envelope=true` a cursor and counts by status',
    description: 'The fetch log. By default it is a bare array; `envelope=true` adds paging and counts by status.',
    tag,
    access: 'admin',
    query: {
      source: param.source,
      org: param.org,
      status: listOf(FETCH_STATUSES).describe('Only rows of this status.'),
      excludeStatus: listOf(FETCH_STATUSES).describe('Leaves out rows of this status.'),
      after: param.after,
      before: param.before,
      limit: limitLike({ default: 20, max: 100 }),
      cursor: param.cursor,
      envelope: flag().describe('true adds paging and counts by status.'),
    },
    answers: { 200: z.union([z.array(fetchLogRow), fetchLog]) },
    errors: ['bad_request', 'invalid_cursor', 'not_found', 'ambiguous_slug'],
    run: async (ctx, { query }) => {
      const log = await listFetchLog(ctx, query);
      return query.envelope ? log : log.items;
    },
  }),
  route({
    method: 'POST',
    path: '/admin/logs/fetch',
    summary: 'Report a fetch that ran elsewhere; the source is moved as by a fetch of the service',
    description:
      'For fetchers outside the service: writes a row of the fetch log and moves the times and error counts of the source.',
    tag,
    access: 'admin',
    body: fetchReport,
    answers: { 201: fetchLogRow },
    errors: ['not_found'],
    run: async (ctx, { body }) => {
      const row = await reportFetch(ctx, body);
      return created(row, `/v1/admin/logs/fetch?source=${row.sourceId}`);
    },
  }),
  route({
    method: 'GET',
    path: '/admin/logs/usage/stats',
    summary: 'Use of models by operation, model and source',
    description: 'Tokens that were spent in the period, added up in three ways.',
    tag,
    access: 'admin',
    query: {
      days: limitLike({ default: 7, max: 365 }).describe('Length of the period in days, counted back from now.'),
    },
    answers: { 200: usageStatsShape },
    run: (ctx, { query }) => usageStats(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/admin/logs/usage',
    summary: 'Report a use of a model',
    description: 'For programs outside the service that spend tokens on its behalf: adds one row to the usage log.',
    tag,
    access: 'admin',
    body: usageReport,
    answers: { 201: usageRow },
    errors: ['not_found'],
    run: async (ctx, { body }) => created(await reportUsage(ctx, body), '/v1/admin/logs/usage/stats'),
  }),
  route({
    method: 'GET',
    path: '/admin/sources/stuck',
    summary: 'Sources of which none of the last attempts succeeded',
    description:
      'Sources that need a look, with their last attempts and errors. `window` and `minAttempts` say how many attempts are judged.',
    tag,
    access: 'admin',
    query: {
      window: limitLike({ default: 5, max: 100 }).describe('Length of the window in days.'),
      minAttempts: integerIn(1, 100).describe('How many attempts a source must have had to be judged.'),
      includePaused: flag().describe('true also lists paused sources.'),
      page: pageNumber(),
      limit: limitLike({ default: 500, max: 500 }),
    },
    answers: { 200: stuckSourcesShape },
    errors: ['bad_request'],
    run: (ctx, { query: { window, minAttempts = 3, includePaused = false, ...page } }) =>
      stuckSources(ctx, { window, minAttempts, includePaused, ...page }),
  }),
];

export const auditRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/admin/audit',
    summary: 'Writes of operators, newest first',
    description:
      'The audit log: who changed what and when, with the state before and after as far as it is logged. All filters narrow the list together.',
    tag: 'Administration',
    access: 'admin',
    query: {
      actor: text().describe('Only writes of this caller, by the name that the log shows.'),
      target: text().describe('Only writes to this entity, by id.'),
      action: text().describe('Only rows of this action.'),
      after: param.after,
      before: param.before,
      limit: limitLike({ default: 50, max: 200 }),
      cursor: param.cursor,
    },
    answers: { 200: auditLog },
    errors: ['bad_request', 'invalid_cursor'],
    run: (ctx, { query }) => listAuditLog(ctx, query),
  }),
];
