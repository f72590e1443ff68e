// The rules of a webhook's address that need no lookup; those on names and addresses belong to the guarded fetch.
import { type RefusalReason, readTarget, type TargetRules } from '../net/target.ts';
import type { WebhookFormat } from './format.ts';

export type TargetRefusal = RefusalReason | ChatRefusal;

export const URL_MAX_BYTES = 2048;
export const DESCRIPTION_MAX_BYTES = 1000;

// Stricter than for pages that are fetched: only https, and no ports of other services.
export const WEBHOOK_TARGET: TargetRules = { httpsOnly: true, ports: 'web' };

// Why an address cannot take messages of a format.
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

// The part of a secret address that may be shown.
export function shownHost(url: string): string {
  return URL.parse(url)?.host ?? '';
}

type ChatRefusal = 'chat_host' | 'chat_path';

const CHAT_HOSTS: Partial<Record<WebhookFormat, readonly string[]>> = {
  slack: ['hooks.slack.com', 'hooks.slack-gov.com'],
  discord: ['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'],
};
const DISCORD_PATH = /^\/api\/webhooks\/\d+\/[A-Za-z0-9._-]+\/?$/;
const DISCORD_QUERY = new Set(['wait', 'thread_id']);

// Chat messages may go only to addresses of the chat service itself, because the address is the secret.
function chatRefusal(format: WebhookFormat, url: URL): ChatRefusal | null {
  const hosts = CHAT_HOSTS[format];
  if (!hosts) return null;
  if (!hosts.includes(url.host)) return 'chat_host';
  return format === 'discord' ? discordPathRefusal(url) : null;
}

// What an address of a chat service has to look like.
export function chatAddressRule(format: WebhookFormat): string {
  const hosts = CHAT_HOSTS[format] ?? [];
  const path = format === 'discord' ? ', and its path is /api/webhooks/{id}/{token}' : '';
  return `its host must be ${hosts.slice(0, -1).join(', ')} or ${hosts.at(-1)}${path}`;
}

function discordPathRefusal(url: URL): ChatRefusal | null {
  const known = [...url.searchParams.keys()].every((key) => DISCORD_QUERY.has(key));
  return known && DISCORD_PATH.test(url.pathname) ? null : 'chat_path';
}
