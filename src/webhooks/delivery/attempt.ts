// One attempt: the request of the subscription to an address that was just checked.
import { type Context, now, type WriteContext } from '../../context.ts';
import { newId } from '../../domain/ids.ts';
import { retryAfterMs } from '../../domain/net/retry-after.ts';
import { errorText } from '../../domain/webhooks/error-text.ts';
import { isSigned, renderIn } from '../../domain/webhooks/format.ts';
import {
  type AttemptResult,
  type AttemptVerdict,
  type DeliveryOutcome,
  isSuccess,
  verdictOf,
} from '../../domain/webhooks/outcome.ts';
import { signatureHeaders } from '../../domain/webhooks/signature.ts';
import { WEBHOOK_TARGET } from '../../domain/webhooks/target.ts';
import type { FetchFailure, FetchResult } from '../../net/result.ts';
import type { FetchRules } from '../../net/rules.ts';
import type { Timers } from '../../net/timers.ts';
import { insertMany } from '../../store/insert-many.ts';
import type { WebhookAttemptRow, WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import { type KeyedRow, signingKeys } from '../keys.ts';
import type { ClaimedDelivery, WaitingDelivery } from './delivery.ts';
import { bodyForStack } from './for-stack.ts';

const RULES: FetchRules = {
  ...WEBHOOK_TARGET,
  codings: 'identity',
  overflow: 'cut',
  retry: false,
  limits: { connectMs: 5_000, firstByteMs: 10_000, totalMs: 10_000, maxBytes: 64 * 1024, maxRedirects: 0 },
};

// Shorter values of an address are versions and the like.
const SECRET_PARAMETER_LEAST = 8;

export type FinishedAttempt = { delivery: ClaimedDelivery; startedAt: string } & (
  | { ended: 'verdict'; verdict: AttemptVerdict; latencyMs: number; retryAfterMs: number | null }
  // The process stopped; another one makes this attempt.
  | { ended: 'stopped' }
  // An internal error prevented the attempt, such as a key that cannot be decrypted.
  | { ended: 'fault' }
);

interface AttemptTools {
  signal: AbortSignal;
  timers: Timers;
}

export async function attemptDelivery(
  ctx: Context,
  delivery: ClaimedDelivery,
  { signal, timers }: AttemptTools,
): Promise<FinishedAttempt> {
  const at = ctx.clock();
  const begun = { delivery, startedAt: at.toISOString() };
  const started = timers.now();
  try {
    const { subscription } = delivery;
    const payload = await bodyForStack(ctx, subscription, delivery.payload);
    const event = { id: delivery.event_id, payload };
    const { url, headers, body } = renderAttempt(ctx, { subscription, event, replay: delivery.replay > 0, at });
    const result = await ctx.fetch({
      ...RULES,
      method: 'POST',
      url,
      headers,
      body,
      userAgent: WEBHOOK_USER_AGENT,
      poolKey: subscription.id,
      polite: false,
      signal,
    });
    if (!result.ok && result.failure === 'aborted') return { ...begun, ended: 'stopped' };
    return {
      ...begun,
      ended: 'verdict',
      verdict: verdictOf(attemptResultOf(result, secretsOf(delivery))),
      latencyMs: result.requests > 0 ? Math.max(0, Math.round(timers.now() - started)) : 0,
      retryAfterMs: retryAfterOf(result, ctx.clock()),
    };
  } catch (err) {
    ctx.log.error({ err, deliveryId: delivery.id }, 'a delivery could not be attempted');
    return { ...begun, ended: 'fault' };
  }
}

function retryAfterOf(result: FetchResult, now: Date): number | null {
  const retryAfter = result.ok ? result.headers['retry-after'] : undefined;
  return retryAfter === undefined ? null : retryAfterMs(retryAfter, now);
}

function attemptResultOf(result: FetchResult, secrets: readonly string[]): AttemptResult {
  // The body of a successful answer is not stored.
  if (result.ok && isSuccess(result.status)) return { status: result.status, text: '' };
  if (result.ok) return { status: result.status, text: errorText(result.body, secrets) };
  if (result.failure === 'refused' && result.code !== 'invalid_header') return { refused: result.code };
  return { fault: faultOf(result), text: errorText(Buffer.from(result.detail), secrets) };
}

function faultOf(result: FetchFailure): Extract<AttemptResult, { fault: unknown }>['fault'] {
  if (result.failure === 'timeout') return 'timeout';
  return result.failure === 'unreachable' ? result.code : 'network';
}

// The address of a chat webhook is its only secret, in its path or in its parameters, and who knows a topic of ntfy reads it.
function secretsOf({ subscription }: ClaimedDelivery): string[] {
  const url = subscription.format === 'json' ? null : URL.parse(subscription.url);
  if (url === null) return [];
  const values = [...url.searchParams.values()].filter((value) => value.length >= SECRET_PARAMETER_LEAST);
  return [url.pathname, ...values.flatMap((value) => [value, encodeURIComponent(value)])];
}

// The log row of an attempt, and deliveries that end without one.

interface AttemptInfo {
  outcome: DeliveryOutcome;
  at: string;
  httpStatus?: number;
  errorCode?: string | null;
  errorMessage?: string;
  latencyMs?: number;
  nextAttemptAt?: string | null;
}

export function attemptRow(
  { randomBytes }: Pick<Context, 'randomBytes'>,
  delivery: WaitingDelivery & { subscription: Pick<WebhookSubscriptionRow, 'id' | 'format'> },
  facts: AttemptInfo,
): WebhookAttemptRow {
  const { subscription } = delivery;
  return {
    id: newId('att', randomBytes),
    delivery_id: delivery.id,
    subscription_id: subscription.id,
    event_id: delivery.event_id,
    attempt: delivery.attempt,
    outcome: facts.outcome,
    http_status: facts.httpStatus ?? 0,
    error_code: facts.errorCode ?? null,
    error_message: facts.errorMessage ?? '',
    latency_ms: facts.latencyMs ?? 0,
    format: subscription.format,
    replay: delivery.replay > 0 ? 1 : 0,
    next_attempt_at: facts.nextAttemptAt ?? null,
    created_at: facts.at,
  };
}

// Deliveries that end without an attempt.
export async function writeSkipped(
  ctx: WriteContext,
  deliveries: readonly (WaitingDelivery & { subscription: WebhookSubscriptionRow })[],
  why: 'disabled' | 'release_withdrawn',
): Promise<void> {
  if (deliveries.length === 0) return;
  const at = now(ctx);
  await ctx.tx
    .updateTable('webhook_deliveries')
    .set({ state: 'done', done_at: at, lease_until: null })
    .where(
      'id',
      'in',
      deliveries.map(({ id }) => id),
    )
    .execute();
  const rows = deliveries.map((delivery) => attemptRow(ctx, delivery, { outcome: 'skipped', at, errorMessage: why }));
  await insertMany(ctx.tx, 'webhook_attempts', rows);
}

// Renders the request of one attempt: address, headers and bytes, by the subscription at that moment.

const WEBHOOK_USER_AGENT = 'registry-webhooks/1';

export interface AttemptInput {
  subscription: KeyedRow & Pick<WebhookSubscriptionRow, 'url' | 'format'>;
  event: { id: string; payload: string };
  replay: boolean;
  at: Date;
}

interface AttemptRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

// Fails only when the key cannot be decrypted; then the attempt waits for the operator.
export function renderAttempt(ctx: Pick<Context, 'secrets'>, input: AttemptInput): AttemptRequest {
  const { subscription, event } = input;
  const format = subscription.format;
  const { body, headers: own } = renderIn(format, event.payload);
  const headers = {
    ...own,
    'User-Agent': WEBHOOK_USER_AGENT,
    'X-Service-Event-Id': event.id,
    ...(isSigned(format) ? signed(ctx, input, body) : {}),
  };
  return { url: subscription.url, headers, body };
}

function signed(
  ctx: Pick<Context, 'secrets'>,
  { subscription, event, replay, at }: AttemptInput,
  body: string,
): Record<string, string> {
  const keys = signingKeys(ctx, subscription, at);
  if (keys === null) throw new Error(`subscription ${subscription.id} has no signing key`);
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    'X-Service-Version': '1',
    ...signatureHeaders({ eventId: event.id, timestamp, body }, keys),
    ...(replay ? { 'X-Service-Replay': 'true' } : {}),
  };
}
