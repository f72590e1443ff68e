// Accounts, entities and URLs for tests of webhooks.
import type { App } from '../../src/app.ts';
import { type Context, plainAnswer, transact } from '../../src/context.ts';
import type { WebhookCreation } from '../../src/contract/webhooks.ts';
import { newId } from '../../src/domain/ids.ts';
import { fixedLookup } from '../../src/net/loopback.fixture.ts';
import type { WebhookAttemptRow, WebhookSubscriptionRow } from '../../src/store/schema/webhooks.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/create.ts';
import { accountOwner } from '../../src/webhooks/subscriptions/owner.ts';
import { as } from '../support/callers.ts';
import { type MovableClock, movableClock } from '../support/clock.ts';
import type { TestAppOptions, TestEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource } from '../support/factories.ts';

export const HOOK_URL = 'https://hooks.example/in';
export const SLACK_URL = 'https://hooks.slack.com/services/T0/B0/secret';
export const DISCORD_URL = 'https://discord.com/api/webhooks/1/secret';
export const TEAMS_URL = 'https://prod-1.x.logic.azure.com/workflows/1/triggers/manual/paths/invoke?sig=secret';
export const GOOGLE_CHAT_URL = 'https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=secret';

// The host names of the tests; no other name resolves.
const LOOKUP = fixedLookup({
  'hooks.example': ['93.184.216.34'],
  'other.example': ['93.184.216.35'],
  'hooks.slack.com': ['93.184.216.36'],
  'discord.com': ['93.184.216.37'],
  'prod-1.x.logic.azure.com': ['93.184.216.38'],
  'chat.googleapis.com': ['93.184.216.39'],
  'inside.example': ['10.0.0.1'],
});

export interface World {
  app: App;
  // The context of the operator.
  ctx: Context;
  clock: MovableClock;
  org: { id: string; slug: string; name: string };
  product: { id: string; slug: string; name: string };
  // A source of the product.
  source: { id: string; slug: string; name: string };
  // A source of the same org without a product.
  loose: { id: string; slug: string };
}

export async function openWorld(engine: TestEngine, options: TestAppOptions = {}): Promise<World> {
  const clock = movableClock('2026-03-01T12:00:00.000Z');
  const app = await engine.openTestApp({ clock, lookup: LOOKUP, ...options });
  const ctx = as(app.ctx, 'admin');
  return { app, ctx, clock, ...(await makePlaces(ctx)) };
}

export async function makePlaces(ctx: Context): Promise<Pick<World, 'org' | 'product' | 'source' | 'loose'>> {
  const org = await createOrg(ctx);
  const product = await createProduct(ctx, org.id);
  const source = await createSource(ctx, { orgId: org.id, productId: product.id });
  const loose = await createSource(ctx, { orgId: org.id });
  return { org, product, source, loose };
}

let accounts = 0;

// A new account, and a context with it as the caller.
export async function newAccount(ctx: Context): Promise<{ userId: string; ctx: Context }> {
  accounts += 1;
  const userId = `user${accounts}`;
  const at = ctx.clock().toISOString();
  const user = { id: userId, name: 'Kim', email: `${userId}@webhooks.example`, email_verified: 0, image: null };
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .insertInto('users')
        .values({ ...user, created_at: at, updated_at: at, disabled_at: null })
        .execute(),
    'bookkeeping',
  );
  return { userId, ctx: asAccount(ctx, userId) };
}

export function asAccount(ctx: Context, userId: string): Context {
  const account = { userId, id: 'ses', grants: [], expiresAt: null };
  const caller = { kind: 'session' as const, name: 'Kim', scope: 'read' as const, tokenId: null, account, ip: '' };
  return { ...ctx, caller, answer: plainAnswer() };
}

// A subscription of the calling account, by default to the org of the fixture.
export function subscribe(ctx: Context, input: Partial<WebhookCreation>) {
  return createSubscription(ctx, { owner: accountOwner(ctx), input: { url: HOOK_URL, ...input } });
}

export async function storedRow(ctx: Context, id: string): Promise<WebhookSubscriptionRow> {
  return ctx.store.read.selectFrom('webhook_subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export async function setRow(ctx: Context, id: string, values: Partial<WebhookSubscriptionRow>): Promise<void> {
  await transact(ctx, ({ tx }) => tx.updateTable('webhook_subscriptions').set(values).where('id', '=', id).execute());
}

// A row of the delivery log, as an attempt would write it.
export async function logAttempt(
  ctx: Context,
  row: Pick<WebhookAttemptRow, 'subscription_id' | 'event_id' | 'delivery_id'> & Partial<WebhookAttemptRow>,
): Promise<string> {
  const id = newId('att', ctx.randomBytes);
  const filled: WebhookAttemptRow = {
    id,
    attempt: 1,
    outcome: 'success',
    http_status: 200,
    error_code: null,
    error_message: '',
    latency_ms: 12,
    format: 'json',
    replay: 0,
    next_attempt_at: null,
    created_at: ctx.clock().toISOString(),
    ...row,
  };
  await transact(ctx, ({ tx }) => tx.insertInto('webhook_attempts').values(filled).execute(), 'bookkeeping');
  return id;
}
