// The errors of requests that break a rule of webhooks.
import { ApiError } from '../contract/errors.ts';
import { WEBHOOK_FORMATS, type WebhookFormat } from '../domain/webhooks/format.ts';
import { type Problem, readFormat } from '../domain/webhooks/subscription-input.ts';
import { chatAddressRule, type TargetRefusal } from '../domain/webhooks/target.ts';

export function refuseField({ field, reason }: Problem): ApiError {
  return new ApiError('bad_request', `${field}: ${reason}`, { field, reason });
}

export function requireNone(problem: Problem | null): void {
  if (problem) throw refuseField(problem);
}

export function requireFormat(text: string | null | undefined): WebhookFormat {
  const format = readFormat(text);
  if (format) return format;
  throw refuseField({ field: 'format', reason: `must be one of ${WEBHOOK_FORMATS.join(', ')}` });
}

const WHY: Record<Exclude<TargetRefusal, 'chat_host' | 'chat_path'>, string> = {
  invalid_url: 'is no absolute URL',
  not_http: 'must begin with https',
  not_https: 'must begin with https',
  user_info: 'must hold no user name or password',
  port: 'must use port 443 or one from 1024 up',
  internal_host: 'names a host of an internal network, or this service',
  private_address: 'leads to an address that is not public',
  denied_host: 'names a host that this service does not contact',
};

// The address is left out of the message, because it can be a secret.
export function refuseUrl(reason: keyof typeof WHY): ApiError {
  return new ApiError('bad_request', `url: ${WHY[reason]}`, { field: 'url', reason });
}

export function refuseForFormat(reason: TargetRefusal, format: WebhookFormat): ApiError {
  if (reason !== 'chat_host' && reason !== 'chat_path') return refuseUrl(reason);
  const message = `url: is no webhook address of this chat service: ${chatAddressRule(format)}`;
  return new ApiError('bad_request', message, { field: 'url', reason });
}

export function refuseDisabled(): ApiError {
  return new ApiError('conflict', 'the subscription is disabled; enable it first', { field: 'enabled' });
}
