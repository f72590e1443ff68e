import { badRequest } from '../../contract/errors.ts';
import { param } from '../../contract/parameters.ts';
import { text } from '../../contract/query.ts';
import { pick } from '../../domain/records.ts';
import { streamScope } from '../../webhooks/stream/events.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import type { StreamRequest } from '../kernel/stream.ts';
import { streamExample } from './examples.ts';
import { meaningFilter, meaningQuery } from './feed-query.ts';

const WHOLE = /^\d{1,15}$/;

export const streamRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/releases/stream',
    summary: 'New releases as they are indexed, as server-sent events',
    description:
      'Stays open and sends an event for each new release that matches the filters. With `minBreaking`, `minImportance` or `security` a release is sent when it meets any of those that are given. `Last-Event-ID` resumes after the last event that was received.',
    tag: 'Releases',
    access: 'public',
    query: {
      lastEventId: text({ max: 100 }).describe(
        'The last event that was received, for clients that cannot send the Last-Event-ID header.',
      ),
      since: text({ max: 20 }).describe('Number (`seq`) of an event; those after it are sent first.'),
      ...pick(param, 'org', 'product', 'source', 'type'),
      ...meaningQuery,
    },
    answers: { 200: null },
    example: streamExample,
    errors: ['bad_request', 'not_found', 'ambiguous_slug', 'rate_limited'],
    live: true,
    run: async (ctx, { query }): Promise<StreamRequest> => ({
      scope: { ...(await streamScope(ctx, query)), meaning: meaningFilter(query) },
      lastEventId: query.lastEventId,
      since: readSince(query.since),
    }),
  }),
];

function readSince(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!WHOLE.test(value)) throw badRequest('since', 'must be a whole number from 0');
  return Number(value);
}
