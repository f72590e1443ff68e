// Webhooks for operators: those of the registry, and a few actions on those of accounts.
import { ApiError } from '../../contract/errors.ts';
import { param } from '../../contract/parameters.ts';
import { limitLike, oneOf, pageNumber } from '../../contract/query.ts';
import {
  type RotatedKey,
  rotatedKey,
  rotation,
  type SavedWebhook,
  savedWebhook,
  testQueued,
  webhookChange,
  webhookCreation,
  webhookPage,
  webhookSubscription,
} from '../../contract/webhooks.ts';
import { createSubscription } from '../../webhooks/subscriptions/create.ts';
import { deleteSubscription } from '../../webhooks/subscriptions/delete.ts';
import { getSubscription, listAll } from '../../webhooks/subscriptions/list.ts';
import { rotateKey } from '../../webhooks/subscriptions/rotate.ts';
import { updateSubscription } from '../../webhooks/subscriptions/update.ts';
import { sendTest } from '../../webhooks/test-event.ts';
import { noContent, Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { webhookBody, webhookExample } from './examples.ts';

// Replies with a signing key. They are stored for repeated calls without the key.

export function savedReply(status: 200 | 201, saved: SavedWebhook, headers: Record<string, string> = {}): Reply {
  const { signingKey: _hex, standardSecret: _standard, ...repeatable } = saved;
  return new Reply(status, saved, headers).repeatedAs(repeatable);
}

export function rotatedReply(rotated: RotatedKey): Reply {
  const { signingKey: _hex, standardSecret: _standard, ...repeatable } = rotated;
  return new Reply(200, rotated).repeatedAs(repeatable);
}

const tag = 'Webhooks';
const access = 'admin';

const any = (params: Record<string, string>) => ({ id: params.id ?? '', owner: 'operator' as const });

export const webhookRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/webhooks',
    summary: 'All webhooks, newest first; of those of accounts the host alone is shown',
    description: 'Webhooks of the registry itself and of accounts, with the health of their deliveries.',
    tag,
    access,
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

function passUnknown(error: unknown): void {
  if (error instanceof ApiError && error.code === 'not_found') return;
  throw error;
}
