// The webhooks of the caller's account.
import type { Context } from '../../context.ts';
import { param } from '../../contract/parameters.ts';
import {
  rotatedKey,
  rotation,
  savedWebhook,
  testQueued,
  webhookChange,
  webhookCreation,
  webhookList,
  webhookSubscription,
} from '../../contract/webhooks.ts';
import { createSubscription } from '../../webhooks/subscriptions/create.ts';
import { deleteSubscription } from '../../webhooks/subscriptions/delete.ts';
import { getSubscription, listOwn } from '../../webhooks/subscriptions/list.ts';
import { accountOwner } from '../../webhooks/subscriptions/owner.ts';
import { rotateKey } from '../../webhooks/subscriptions/rotate.ts';
import { updateSubscription } from '../../webhooks/subscriptions/update.ts';
import { sendTest } from '../../webhooks/test-event.ts';
import { noContent } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { webhookBody, webhookExample } from './examples.ts';
import { rotatedReply, savedReply } from './webhooks.ts';

const tag = 'Account webhooks';

const own = (ctx: Context, params: Record<string, string>) => ({ id: params.id ?? '', owner: accountOwner(ctx) });

export const meWebhookRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/me/webhooks',
    summary: 'Webhooks of the account with their delivery health, newest first',
    description: 'All webhooks of the account. Signing keys are never shown again.',
    tag,
    access: 'account',
    query: { enabled: param.enabled },
    answers: { 200: webhookList },
    run: (ctx, { query }) => listOwn(ctx, { owner: accountOwner(ctx), ...query }),
  }),
  route({
    method: 'POST',
    path: '/me/webhooks',
    summary: 'Subscribe to the releases of an org, or of everything that the account follows; the key is shown once',
    description:
      'Makes a webhook for new releases of one organization or of all that the account follows. The signing key stands in this answer alone. See the webhook guide for signatures and retries.',
    tag,
    access: 'account:write',
    body: webhookCreation,
    bodyExample: webhookBody,
    example: webhookExample,
    answers: { 201: savedWebhook },
    errors: ['bad_request', 'not_found', 'rate_limited', 'limit_exceeded', 'service_unavailable'],
    outbound: true,
    async run(ctx, { body }) {
      const saved = await createSubscription(ctx, { owner: accountOwner(ctx), input: body });
      return savedReply(201, saved, { Location: `/v1/me/webhooks/${saved.id}` });
    },
  }),
  route({
    method: 'GET',
    path: '/me/webhooks/{id}',
    summary: 'One webhook of the account',
    description: 'The subscription with its filters and the state of its deliveries.',
    tag,
    access: 'account',
    answers: { 200: webhookSubscription },
    errors: ['not_found'],
    run: (ctx, { params }) => getSubscription(ctx, own(ctx, params)),
  }),
  route({
    method: 'PATCH',
    path: '/me/webhooks/{id}',
    summary: 'Change a webhook; enabling it begins anew, and a change to json shows the new key once',
    description:
      'Only the fields that are sent change. Enabling a webhook starts with new events; events of the time before can be replayed.',
    tag,
    access: 'account:write',
    body: webhookChange,
    answers: { 200: savedWebhook },
    errors: ['bad_request', 'not_found', 'rate_limited', 'service_unavailable'],
    run: async (ctx, { params, body }) =>
      savedReply(200, await updateSubscription(ctx, { ...own(ctx, params), change: body })),
  }),
  route({
    method: 'DELETE',
    path: '/me/webhooks/{id}',
    summary: 'Remove a webhook with its waiting deliveries and its log',
    description: 'Nothing more is sent to the address. It cannot be undone.',
    tag,
    access: 'account:write',
    answers: { 204: null },
    errors: ['not_found'],
    async run(ctx, { params }) {
      await deleteSubscription(ctx, own(ctx, params));
      return noContent();
    },
  }),
  route({
    method: 'POST',
    path: '/me/webhooks/{id}/rotate-secret',
    summary: 'A new signing key, shown once; the old one signs beside it for a day',
    description:
      'Replaces the signing key. For a day deliveries carry both signatures, unless `revokeOld` ends the old key at once.',
    tag,
    access: 'account:write',
    body: rotation,
    answers: { 200: rotatedKey },
    errors: ['bad_request', 'not_found', 'rate_limited', 'service_unavailable'],
    run: async (ctx, { params, body }) => rotatedReply(await rotateKey(ctx, { ...own(ctx, params), ...body })),
  }),
  route({
    method: 'POST',
    path: '/me/webhooks/{id}/test',
    summary: 'Queue a test delivery ahead of all other work',
    description: 'Sends a test event to the webhook. How it went is found in the delivery log.',
    tag,
    access: 'account:write',
    answers: { 200: testQueued },
    errors: ['not_found', 'rate_limited'],
    run: (ctx, { params }) => sendTest(ctx, own(ctx, params)),
  }),
];
