// The delivery log of the caller's webhooks, and replays.
import type { Context } from '../../context.ts';
import { param } from '../../contract/parameters.ts';
import { pick } from '../../contract/pick.ts';
import { limitLike } from '../../contract/query.ts';
import { deliveryLog, rangeReplay, rangeReplayQueued, replayQueued } from '../../contract/webhooks.ts';
import { listDeliveries } from '../../webhooks/log/deliveries.ts';
import { replayDelivery } from '../../webhooks/replay/one.ts';
import { replayRange } from '../../webhooks/replay/range.ts';
import { accountOwner } from '../../webhooks/subscriptions/owner.ts';
import { Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Account webhooks';

const own = (ctx: Context, params: Record<string, string>) => ({ id: params.id ?? '', owner: accountOwner(ctx) });

export const meWebhookLogRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/me/webhooks/{id}/deliveries',
    summary: 'Attempts of the last 90 days, newest first',
    description: 'The delivery log of the webhook: status, latency and error of each attempt.',
    tag,
    access: 'account',
    query: {
      limit: limitLike({ default: 20, max: 100 }),
      ...pick(param, 'failed', 'event_id', 'cursor'),
    },
    answers: { 200: deliveryLog },
    errors: ['not_found', 'invalid_cursor'],
    run: (ctx, { params, query: { event_id: eventId, ...query } }) =>
      listDeliveries(ctx, { ...own(ctx, params), ...query, eventId }),
  }),
  route({
    method: 'POST',
    path: '/me/webhooks/{id}/deliveries/{deliveryId}/replay',
    summary: 'Send the event of a delivery again',
    description: 'Queues the event of a logged delivery once more. The receiver sees the same event id.',
    tag,
    access: 'account:write',
    answers: { 202: replayQueued },
    errors: ['not_found', 'conflict', 'rate_limited'],
    run: async (ctx, { params }) =>
      new Reply(202, await replayDelivery(ctx, { ...own(ctx, params), deliveryId: params.deliveryId ?? '' })),
  }),
  route({
    method: 'POST',
    path: '/me/webhooks/{id}/replay',
    summary: 'Send the events of a time again, the oldest first and at most 1000',
    description:
      'Queues the events between `since` and `until`, all or only the failed ones. A truncated replay names the time to go on from.',
    tag,
    access: 'account:write',
    body: rangeReplay,
    answers: { 202: rangeReplayQueued },
    errors: ['bad_request', 'not_found', 'conflict', 'rate_limited'],
    run: async (ctx, { params, body }) => new Reply(202, await replayRange(ctx, { ...own(ctx, params), range: body })),
  }),
];
