// Webhooks as an operator handles them: those of the registry itself, and a careful hand on those of accounts.
import { ApiError } from '../../contract/errors.ts';
import { flag, limitLike, oneOf, pageNumber, text } from '../../contract/query.ts';
import {
  deadLetters,
  deliveryLog,
  eventList,
  rangeReplay,
  rangeReplayQueued,
  replayQueued,
  rotatedKey,
  rotation,
  savedWebhook,
  testQueued,
  webhookChange,
  webhookCreation,
  webhookPage,
  webhookSubscription,
} from '../../contract/webhooks.ts';
import { listDeadLetters, removeDeadLetter } from '../../webhooks/log/dead-letters.ts';
import { listDeliveries } from '../../webhooks/log/deliveries.ts';
import { listEvents } from '../../webhooks/log/events.ts';
import { replayDeadLetter, replayDelivery } from '../../webhooks/replay/one.ts';
import { replayRange } from '../../webhooks/replay/range.ts';
import { createSubscription } from '../../webhooks/subscriptions/create.ts';
import { deleteSubscription } from '../../webhooks/subscriptions/delete.ts';
import { getSubscription, listAll } from '../../webhooks/subscriptions/list.ts';
import { rotateKey } from '../../webhooks/subscriptions/rotate.ts';
import { updateSubscription } from '../../webhooks/subscriptions/update.ts';
import { sendTest } from '../../webhooks/test-event.ts';
import { noContent, Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { webhookBody, webhookExample } from './examples.ts';
import { rotatedReply, savedReply } from './webhook-replies.ts';

const tag = 'Webhooks';
const access = 'admin';

const any = (params: Record<string, string>) => ({ id: params.id ?? '', owner: 'operator' as const });
const cursorPage = { limit: limitLike({ default: 20, max: 100 }), cursor: text({ max: 100_000 }) };

const subscriptionRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/webhooks',
    summary: 'All webhooks, newest first; of those of accounts the host alone is shown',
    description: 'Webhooks of the registry itself and of accounts, with the health of their deliveries.',
    tag,
    access,
    query: {
      org: text(),
      enabled: flag(),
      owner: oneOf(['admin', 'user']),
      page: pageNumber(),
      limit: limitLike({ default: 500, max: 500 }),
    },
    answers: { 200: webhookPage },
    errors: ['bad_request', 'not_found'],
    run: (ctx, { query }) => listAll(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/webhooks',
    summary: 'Subscribe to the releases of an org for the registry itself; the key is shown once',
    description: 'Makes a webhook that belongs to no account. The signing key stands in this answer alone.',
    tag,
    access,
    body: webhookCreation,
    bodyExample: webhookBody,
    example: webhookExample,
    answers: { 201: savedWebhook },
    errors: ['bad_request', 'not_found', 'service_unavailable'],
    outbound: true,
    async run(ctx, { body }) {
      const saved = await createSubscription(ctx, { owner: 'operator', input: body });
      return savedReply(201, saved, { Location: `/v1/webhooks/${saved.id}` });
    },
  }),
  route({
    method: 'GET',
    path: '/webhooks/{id}',
    summary: 'One webhook',
    description:
      "The subscription with its filters and the state of its deliveries. Of an account's webhook the host alone is shown.",
    tag,
    access,
    answers: { 200: webhookSubscription },
    errors: ['not_found'],
    run: (ctx, { params }) => getSubscription(ctx, any(params)),
  }),
  route({
    method: 'PATCH',
    path: '/webhooks/{id}',
    summary: 'Change a webhook; one of an account can only be enabled or disabled',
    description: 'Only the fields that are sent change. Enabling a webhook starts with new events.',
    tag,
    access,
    body: webhookChange,
    answers: { 200: savedWebhook },
    errors: ['bad_request', 'not_found', 'service_unavailable'],
    run: async (ctx, { params, body }) =>
      savedReply(200, await updateSubscription(ctx, { ...any(params), change: body })),
  }),
  route({
    method: 'DELETE',
    path: '/webhooks/{id}',
    summary: 'Remove a webhook, or nothing when it is not there',
    description: 'Nothing more is sent to the address. A second call changes nothing.',
    tag,
    access,
    answers: { 204: null },
    async run(ctx, { params }) {
      await deleteSubscription(ctx, any(params)).catch(passUnknown);
      return noContent();
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/{id}/rotate-secret',
    summary: 'A new signing key, shown once; never for a webhook of an account',
    description:
      'Replaces the signing key. For a day deliveries carry both signatures, unless `revokeOld` ends the old key at once.',
    tag,
    access,
    body: rotation,
    answers: { 200: rotatedKey },
    errors: ['bad_request', 'forbidden', 'not_found', 'service_unavailable'],
    run: async (ctx, { params, body }) => rotatedReply(await rotateKey(ctx, { ...any(params), ...body })),
  }),
  route({
    method: 'POST',
    path: '/webhooks/{id}/test',
    summary: 'Queue a test delivery ahead of all other work',
    description: 'Sends a test event to the webhook. How it went is found in the delivery log.',
    tag,
    access,
    answers: { 200: testQueued },
    errors: ['not_found'],
    run: (ctx, { params }) => sendTest(ctx, any(params)),
  }),
];

const logRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    summary: 'Attempts of the last 90 days, newest first',
    description: 'The delivery log of the webhook: status, latency and error of each attempt.',
    tag,
    access,
    query: { ...cursorPage, failed: flag(), event_id: text({ max: 80 }) },
    answers: { 200: deliveryLog },
    errors: ['not_found', 'invalid_cursor'],
    run: (ctx, { params, query: { event_id: eventId, ...query } }) =>
      listDeliveries(ctx, { ...any(params), ...query, eventId }),
  }),
  route({
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{deliveryId}/replay',
    summary: 'Send the event of a delivery again',
    description: 'Queues the event of a logged delivery once more. The receiver sees the same event id.',
    tag,
    access,
    answers: { 202: replayQueued },
    errors: ['not_found', 'conflict', 'rate_limited'],
    run: async (ctx, { params }) =>
      new Reply(202, await replayDelivery(ctx, { ...any(params), deliveryId: params.deliveryId ?? '' })),
  }),
  route({
    method: 'POST',
    path: '/webhooks/{id}/replay',
    summary: 'Send the events of a time again, the oldest first and at most 1000',
    description:
      'Queues the events between `since` and `until`, all or only the failed ones. A truncated replay names the time to go on from.',
    tag,
    access,
    body: rangeReplay,
    answers: { 202: rangeReplayQueued },
    errors: ['bad_request', 'not_found', 'conflict', 'rate_limited'],
    run: async (ctx, { params, body }) => new Reply(202, await replayRange(ctx, { ...any(params), range: body })),
  }),
  route({
    method: 'GET',
    path: '/webhooks/dlq',
    summary: 'Deliveries that were given up after their last attempt, newest first',
    description: 'The dead-letter list over all webhooks, with the last error of each delivery.',
    tag,
    access,
    query: cursorPage,
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

export const webhookRoutes: RouteDeclaration[] = [...subscriptionRoutes, ...logRoutes];

function passUnknown(error: unknown): void {
  if (error instanceof ApiError && error.code === 'not_found') return;
  throw error;
}
