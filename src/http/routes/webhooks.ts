// Webhooks: those of the registry, which operators keep, and those of accounts. Both lanes are one set of calls with an owner.
import type { Context } from '../../context.ts';
import { ApiError, type ErrorCode } from '../../contract/errors.ts';
import { param } from '../../contract/parameters.ts';
import { limitLike, oneOf, pageNumber } from '../../contract/query.ts';
import {
  deliveryLog,
  type RotatedKey,
  rangeReplay,
  rangeReplayQueued,
  replayQueued,
  rotatedKey,
  rotation,
  type SavedWebhook,
  savedWebhook,
  testQueued,
  webhookChange,
  webhookCreation,
  webhookList,
  webhookPage,
  webhookSubscription,
} from '../../contract/webhooks.ts';
import { pick } from '../../domain/records.ts';
import { listDeliveries } from '../../webhooks/log/deliveries.ts';
import { replayDelivery } from '../../webhooks/replay/one.ts';
import { replayRange } from '../../webhooks/replay/range.ts';
import { createSubscription } from '../../webhooks/subscriptions/create.ts';
import { deleteSubscription } from '../../webhooks/subscriptions/delete.ts';
import { getSubscription, listAll, listOwn } from '../../webhooks/subscriptions/list.ts';
import { accountOwner, type SubscriptionOwner } from '../../webhooks/subscriptions/owner.ts';
import { rotateKey } from '../../webhooks/subscriptions/rotate.ts';
import { updateSubscription } from '../../webhooks/subscriptions/update.ts';
import { sendTest } from '../../webhooks/test-event.ts';
import type { Access } from '../kernel/caller.ts';
import { noContent, Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { webhookBody, webhookExample } from './examples.ts';

// Replies with a signing key are stored for repeated calls without the key.
function keyReply(status: 200 | 201, answer: SavedWebhook | RotatedKey, headers: Record<string, string> = {}): Reply {
  const { signingKey: _hex, standardSecret: _standard, ...repeatable } = answer;
  return new Reply(status, answer, headers).repeatedAs(repeatable);
}

interface Words {
  summary: string;
  description: string;
}

interface Lane {
  path: string;
  tag: string;
  reads: Access;
  writes: Access;
  owner: (ctx: Context) => SubscriptionOwner;
  // Errors of writes, and of a creation, beside those that both lanes have.
  refusals: readonly ErrorCode[];
  quota: readonly ErrorCode[];
  words: Record<'create' | 'read' | 'change' | 'remove', Words> & { rotate: string };
  remove: (ctx: Context, target: { id: string; owner: SubscriptionOwner }) => Promise<unknown>;
}

function laneRoutes({ path, tag, reads, writes, owner, refusals, quota, words, remove }: Lane): RouteDeclaration[] {
  const target = (ctx: Context, params: Record<string, string>) => ({ id: params.id ?? '', owner: owner(ctx) });
  const one = `${path}/{id}`;
  return [
    route({
      method: 'POST',
      path,
      ...words.create,
      tag,
      access: writes,
      body: webhookCreation,
      refusesUnknown: true,
      bodyExample: webhookBody,
      example: webhookExample,
      answers: { 201: savedWebhook },
      errors: ['bad_request', 'not_found', 'service_unavailable', ...refusals, ...quota],
      outbound: true,
      async run(ctx, { body }) {
        const saved = await createSubscription(ctx, { owner: owner(ctx), input: body });
        return keyReply(201, saved, { Location: `/v1${path}/${saved.id}` });
      },
    }),
    route({
      method: 'GET',
      path: one,
      ...words.read,
      tag,
      access: reads,
      answers: { 200: webhookSubscription },
      errors: ['not_found'],
      run: (ctx, { params }) => getSubscription(ctx, target(ctx, params)),
    }),
    route({
      method: 'PATCH',
      path: one,
      ...words.change,
      tag,
      access: writes,
      body: webhookChange,
      answers: { 200: savedWebhook },
      errors: ['bad_request', 'not_found', 'service_unavailable', ...refusals],
      run: async (ctx, { params, body }) =>
        keyReply(200, await updateSubscription(ctx, { ...target(ctx, params), change: body })),
    }),
    route({
      method: 'DELETE',
      path: one,
      ...words.remove,
      tag,
      access: writes,
      answers: { 204: null },
      errors: ['not_found'],
      async run(ctx, { params }) {
        await remove(ctx, target(ctx, params));
        return noContent();
      },
    }),
    route({
      method: 'POST',
      path: `${one}/rotate-secret`,
      summary: words.rotate,
      description:
        'Replaces the signing key. For a day deliveries carry both signatures, unless `revokeOld` ends the old key at once.',
      tag,
      access: writes,
      body: rotation,
      refusesUnknown: true,
      answers: { 200: rotatedKey },
      errors: ['bad_request', 'forbidden', 'not_found', 'service_unavailable', ...refusals],
      run: async (ctx, { params, body }) => keyReply(200, await rotateKey(ctx, { ...target(ctx, params), ...body })),
    }),
    route({
      method: 'POST',
      path: `${one}/test`,
      summary: 'Queue a test delivery ahead of all other work',
      description: 'Sends a test event to the webhook. How it went is found in the delivery log.',
      tag,
      access: writes,
      answers: { 200: testQueued },
      errors: ['not_found', ...refusals],
      run: (ctx, { params }) => sendTest(ctx, target(ctx, params)),
    }),
    route({
      method: 'GET',
      path: `${one}/deliveries`,
      summary: 'Attempts of the last 90 days, newest first',
      description: 'The delivery log of the webhook: status, latency and error of each attempt.',
      tag,
      access: reads,
      query: { limit: limitLike({ default: 20, max: 100 }), ...pick(param, 'cursor', 'failed', 'event_id') },
      answers: { 200: deliveryLog },
      errors: ['not_found', 'invalid_cursor'],
      run: (ctx, { params, query: { event_id: eventId, ...query } }) =>
        listDeliveries(ctx, { ...target(ctx, params), ...query, eventId }),
    }),
    route({
      method: 'POST',
      path: `${one}/deliveries/{deliveryId}/replay`,
      summary: 'Send the event of a delivery again',
      description: 'Queues the event of a logged delivery once more. The receiver sees the same event id.',
      tag,
      access: writes,
      answers: { 202: replayQueued },
      errors: ['not_found', 'conflict', 'rate_limited'],
      run: async (ctx, { params }) =>
        new Reply(202, await replayDelivery(ctx, { ...target(ctx, params), deliveryId: params.deliveryId ?? '' })),
    }),
    route({
      method: 'POST',
      path: `${one}/replay`,
      summary: 'Send the events of a time again, the oldest first and at most 1000',
      description:
        'Queues the events between `since` and `until`, all or only the failed ones. A truncated replay names the time to go on from.',
      tag,
      access: writes,
      body: rangeReplay,
      refusesUnknown: true,
      answers: { 202: rangeReplayQueued },
      errors: ['bad_request', 'not_found', 'conflict', 'rate_limited'],
      run: async (ctx, { params, body }) =>
        new Reply(202, await replayRange(ctx, { ...target(ctx, params), range: body })),
    }),
  ];
}

export const webhookRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/webhooks',
    summary: 'All webhooks, newest first; of those of accounts the host alone is shown',
    description: 'Webhooks of the registry itself and of accounts, with the health of their deliveries.',
    tag: 'Webhooks',
    access: 'admin',
    query: {
      org: param.org,
      enabled: param.enabled,
      owner: oneOf(['admin', 'user']).describe('Only webhooks of operators, or only those of accounts.'),
      page: pageNumber(),
      limit: limitLike({ default: 500, max: 500 }),
    },
    answers: { 200: webhookPage },
    errors: ['bad_request', 'not_found'],
    run: (ctx, { query }) => listAll(ctx, query),
  }),
  ...laneRoutes({
    path: '/webhooks',
    tag: 'Webhooks',
    reads: 'admin',
    writes: 'admin',
    owner: () => 'operator',
    refusals: [],
    quota: [],
    words: {
      create: {
        summary: 'Subscribe to the releases of an org for the registry itself; the key is shown once',
        description: 'Makes a webhook that belongs to no account. The signing key stands in this answer alone.',
      },
      read: {
        summary: 'One webhook',
        description:
          "The subscription with its filters and the state of its deliveries. Of an account's webhook the host alone is shown.",
      },
      change: {
        summary: 'Change a webhook; one of an account can only be enabled or disabled',
        description: 'Only the fields that are sent change. Enabling a webhook starts with new events.',
      },
      remove: {
        summary: 'Remove a webhook, or nothing when it is not there',
        description: 'Nothing more is sent to the address. A second call changes nothing.',
      },
      rotate: 'A new signing key, shown once; never for a webhook of an account',
    },
    remove: (ctx, target) => deleteSubscription(ctx, target).catch(passUnknown),
  }),
];

export const meWebhookRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/me/webhooks',
    summary: 'Webhooks of the account with their delivery health, newest first',
    description: 'All webhooks of the account. Signing keys are never shown again.',
    tag: 'Account webhooks',
    access: 'account',
    query: { enabled: param.enabled },
    answers: { 200: webhookList },
    run: (ctx, { query }) => listOwn(ctx, { owner: accountOwner(ctx), ...query }),
  }),
  ...laneRoutes({
    path: '/me/webhooks',
    tag: 'Account webhooks',
    reads: 'account',
    writes: 'account:write',
    owner: accountOwner,
    refusals: ['rate_limited'],
    quota: ['limit_exceeded'],
    words: {
      create: {
        summary:
          'Subscribe to the releases of an org, or of everything that the account follows; the key is shown once',
        description:
          'Makes a webhook for new releases of one organization or of all that the account follows. The signing key stands in this answer alone. See the webhook guide for signatures and retries.',
      },
      read: {
        summary: 'One webhook of the account',
        description: 'The subscription with its filters and the state of its deliveries.',
      },
      change: {
        summary: 'Change a webhook; enabling it begins anew, and a change to json shows the new key once',
        description:
          'Only the fields that are sent change. Enabling a webhook starts with new events; events of the time before can be replayed.',
      },
      remove: {
        summary: 'Remove a webhook with its waiting deliveries and its log',
        description: 'Nothing more is sent to the address. It cannot be undone.',
      },
      rotate: 'A new signing key, shown once; the old one signs beside it for a day',
    },
    remove: deleteSubscription,
  }),
];

function passUnknown(error: unknown): void {
  if (error instanceof ApiError && error.code === 'not_found') return;
  throw error;
}
