// One attempt: the request of the subscription to an address that was just checked.
import type { Context } from '../../context.ts';
import { retryAfterMs } from '../../domain/net/retry-after.ts';
import { errorText } from '../../domain/webhooks/error-text.ts';
import { isSigned } from '../../domain/webhooks/format.ts';
import { type AttemptResult, type AttemptVerdict, isSuccess, verdictOf } from '../../domain/webhooks/outcome.ts';
import { WEBHOOK_TARGET } from '../../domain/webhooks/target.ts';
import type { FetchFailure, FetchResult } from '../../net/result.ts';
import type { FetchRules } from '../../net/rules.ts';
import type { Timers } from '../../net/timers.ts';
import { renderAttempt, WEBHOOK_USER_AGENT } from '../request.ts';
import type { ClaimedDelivery } from './delivery.ts';

const RULES: FetchRules = {
  ...WEBHOOK_TARGET,
  codings: 'identity',
  overflow: 'cut',
  retry: false,
  limits: { connectMs: 5_000, firstByteMs: 10_000, totalMs: 10_000, maxBytes: 64 * 1024, maxRedirects: 0 },
};

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
    const event = { id: delivery.event_id, payload: delivery.payload };
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
      verdict: verdictOf(attemptResultOf(result, secretOf(delivery))),
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

function attemptResultOf(result: FetchResult, secret: string | null): AttemptResult {
  // The body of a successful answer is not stored.
  if (result.ok && isSuccess(result.status)) return { status: result.status, text: '' };
  if (result.ok) return { status: result.status, text: errorText(result.body, secret) };
  if (result.failure === 'refused' && result.code !== 'invalid_header') return { refused: result.code };
  return { fault: faultOf(result), text: errorText(Buffer.from(result.detail), secret) };
}

function faultOf(result: FetchFailure): Extract<AttemptResult, { fault: unknown }>['fault'] {
  if (result.failure === 'timeout') return 'timeout';
  return result.failure === 'unreachable' ? result.code : 'network';
}

// The address of a chat webhook is its only secret.
function secretOf({ subscription }: ClaimedDelivery): string | null {
  return isSigned(subscription.format) ? null : (URL.parse(subscription.url)?.pathname ?? null);
}
