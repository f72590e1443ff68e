// Subscriptions whose receiver is a server on the loopback, and a worker that the test controls.
import type { TestContext } from 'node:test';
import type { App } from '../../src/app.ts';
import type { Context } from '../../src/context.ts';
import type { WebhookCreation } from '../../src/contract/webhooks.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../../src/store/schema/webhooks.ts';
import { createDeliveryEngine, type DeliveryEngine } from '../../src/webhooks/delivery/engine.ts';
import { fanOut } from '../../src/webhooks/delivery/fan-out.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/create.ts';
import { as } from '../support/callers.ts';
import { type MovableClock, movableClock } from '../support/clock.ts';
import type { TestAppOptions, TestEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type OutsideWorld, startOutsideWorld } from '../support/outside-world.ts';

const START = '2026-03-01T12:00:00.000Z';
export const NEVER = new AbortController().signal;

export interface Delivering {
  app: App;
  ctx: Context;
  clock: MovableClock;
  world: OutsideWorld;
  orgId: string;
  sourceId: string;
  engine: DeliveryEngine;
}

export async function openDelivering(
  t: TestContext,
  engine: TestEngine,
  { env, ...options }: TestAppOptions = {},
): Promise<Delivering> {
  const world = await startOutsideWorld();
  t.after(() => world.close());
  const clock = movableClock(START);
  const app = await engine.openTestApp({ clock, env: { REGISTRY_EGRESS_ALLOW: '127.0.0.1', ...env }, ...options });
  const ctx = as(app.ctx, 'admin');
  const { id: orgId } = await createOrg(ctx);
  const { id: sourceId } = await createSource(ctx, { orgId });
  return { app, ctx, clock, world, orgId, sourceId, engine: createDeliveryEngine() };
}

// An operator's subscription to the org, whose receiver has this path.
export async function subscribeTo(
  { ctx, world, orgId }: Pick<Delivering, 'ctx' | 'world' | 'orgId'>,
  path: string,
  input: Partial<WebhookCreation> = {},
): Promise<string> {
  const url = `${world.url}${path}`;
  return (await createSubscription(ctx, { owner: 'operator', input: { orgId, url, ...input } })).id;
}

let releases = 0;

// Writes releases, their events and deliveries, without sending them.
export async function publish({ ctx, sourceId }: Pick<Delivering, 'ctx' | 'sourceId'>, count = 1): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    releases += 1;
    return releaseRow(`1.${releases}.0`);
  });
  await postReleases(ctx, sourceId, rows);
  await fanOut(ctx);
}

export function send({ ctx, engine }: Pick<Delivering, 'ctx' | 'engine'>): Promise<void> {
  return engine.run(ctx, NEVER);
}

// The log of one subscription, oldest first.
export function attemptsOf(ctx: Context, subscriptionId: string): Promise<WebhookAttemptRow[]> {
  return ctx.store.read
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .orderBy('created_at')
    .orderBy('attempt')
    .execute();
}

export function deliveriesOf(ctx: Context, subscriptionId: string): Promise<WebhookDeliveryRow[]> {
  return ctx.store.read
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .orderBy('event_seq')
    .orderBy('replay')
    .execute();
}
