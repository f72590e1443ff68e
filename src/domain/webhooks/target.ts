// The rules of a webhook's address that need no lookup; those on names and addresses are the outbound door's.
import { type RefusalReason, readTarget, type TargetRules } from '../net/target.ts';
import { type ChatRefusal, chatRefusal } from './chat-target.ts';
import type { WebhookFormat } from './format.ts';

export type TargetRefusal = RefusalReason | ChatRefusal;

export const URL_MAX_BYTES = 2048;
export const DESCRIPTION_MAX_BYTES = 1000;

// Stricter than for pages that are read: https alone, and no port at which anything but the web listens.
export const WEBHOOK_TARGET: TargetRules = { httpsOnly: true, ports: 'web' };

// The chat service's rule on its own addresses.
export function formatRefusal(format: WebhookFormat, url: string): ChatRefusal | 'invalid_url' | null {
  const parsed = URL.parse(url);
  return parsed === null ? 'invalid_url' : chatRefusal(format, parsed);
}

// host:port, the key under which requests to one receiver are counted.
export function targetKey(url: string): string {
  const target = readTarget(url);
  return target === null
    ? ''
    : `${target.literal && target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
}

// What may be shown of an address that is a secret.
export function shownHost(url: string): string {
  return URL.parse(url)?.host ?? '';
}
