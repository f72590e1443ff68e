// Renders the request of one attempt: address, headers and bytes, by the subscription at that moment.
import type { Context } from '../context.ts';
import { bodyIn, isSigned } from '../domain/webhooks/format.ts';
import { signatureHeaders } from '../domain/webhooks/signature.ts';
import type { WebhookSubscriptionRow } from '../store/schema/webhooks.ts';
import { type KeyedRow, signingKeys } from './keys.ts';

export const WEBHOOK_USER_AGENT = 'registry-webhooks/1';

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
  const body = bodyIn(format, event.payload);
  const headers = {
    'Content-Type': 'application/json',
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
