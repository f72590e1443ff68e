// Deliveries of all webhooks for operators: those that were given up, and the stored events.
import { param } from '../../contract/parameters.ts';
import { limitLike, text } from '../../contract/query.ts';
import { deadLetters, eventList, replayQueued } from '../../contract/webhooks.ts';
import { listDeadLetters, removeDeadLetter } from '../../webhooks/log/dead-letters.ts';
import { listEvents } from '../../webhooks/log/events.ts';
import { replayDeadLetter } from '../../webhooks/replay/one.ts';
import { noContent, Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Webhooks';
const access = 'admin';

export const webhookLogRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/webhooks/dlq',
    summary: 'Deliveries that were given up after their last attempt, newest first',
    description: 'The dead-letter list over all webhooks, with the last error of each delivery.',
    tag,
    access,
    query: { limit: limitLike({ default: 20, max: 100 }), cursor: param.cursor },
    answers: { 200: deadLetters },
    errors: ['invalid_cursor'],
    run: (ctx, { query }) => listDeadLetters(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/webhooks/dlq/{deliveryId}/replay',
    summary: 'Send a delivery of the dead-letter list again; it leaves the list',
    description: 'Queues the event once more. The receiver sees the same event id.',
    tag,
    access,
    answers: { 202: replayQueued },
    errors: ['not_found', 'conflict', 'rate_limited'],
    run: async (ctx, { params }) =>
      new Reply(202, await replayDeadLetter(ctx, { deliveryId: params.deliveryId ?? '' })),
  }),
  route({
    method: 'DELETE',
    path: '/webhooks/dlq/{deliveryId}',
    summary: 'Take a delivery off the dead-letter list; its log stays',
    description: 'For deliveries that need not be sent any more.',
    tag,
    access,
    answers: { 204: null },
    errors: ['not_found'],
    async run(ctx, { params }) {
      await removeDeadLetter(ctx, { deliveryId: params.deliveryId ?? '' });
      return noContent();
    },
  }),
  route({
    method: 'GET',
    path: '/webhooks/events',
    summary: 'Stored events after a number, in the order in which they were committed',
    description:
      'For programs that poll instead of receiving webhooks: pass the last `seq` as `since`. `gap` says when older events were dropped.',
    tag,
    access,
    query: {
      since: text({ max: 40 }).describe('Number (`seq`) of the last event that was read; absent: from the oldest.'),
      limit: limitLike({ default: 500, max: 500 }),
    },
    answers: { 200: eventList },
    errors: ['bad_request'],
    run: (ctx, { query }) => listEvents(ctx, query),
  }),
];
