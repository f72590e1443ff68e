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

interface ChatAddress {
  // A host that begins with a dot stands for all names below it.
  hosts: readonly string[];
  path?: { shape: RegExp; words: string };
  // The parameters that an address has to have, and those that it may have; without either any are taken.
  needs?: readonly string[];
  takes?: readonly string[];
}

const CHAT_ADDRESSES: Partial<Record<WebhookFormat, ChatAddress>> = {
  slack: { hosts: ['hooks.slack.com', 'hooks.slack-gov.com'] },
  discord: {
    hosts: ['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'],
    path: { shape: /^\/api\/webhooks\/\d+\/[A-Za-z0-9._-]+\/?$/, words: '/api/webhooks/{id}/{token}' },
    takes: ['wait', 'thread_id'],
  },
  teams: {
    hosts: ['.logic.azure.com', '.environment.api.powerplatform.com'],
    path: {
      shape:
        /^(?:\/powerautomate\/automations\/direct)?\/workflows\/[A-Za-z0-9-]+\/triggers\/[A-Za-z0-9_-]+\/paths\/invoke\/?$/,
      words: '…/workflows/{id}/triggers/manual/paths/invoke',
    },
    needs: ['sig'],
  },
  google_chat: {
    hosts: ['chat.googleapis.com'],
    path: { shape: /^\/v1\/spaces\/[A-Za-z0-9_-]+\/messages$/, words: '/v1/spaces/{space}/messages' },
    needs: ['key', 'token'],
    takes: ['key', 'token', 'threadKey', 'messageReplyOption'],
  },
};

// Chat messages may go only to addresses of the chat service itself, because the address is the secret.
function chatRefusal(format: WebhookFormat, url: URL): ChatRefusal | null {
  const address = CHAT_ADDRESSES[format];
  if (!address) return null;
  const { hosts, path, needs = [], takes } = address;
  const ours = hosts.some((host) => (host.startsWith('.') ? url.host.endsWith(host) : url.host === host));
  if (!ours) return 'chat_host';
  const given = [...url.searchParams.keys()];
  const fits =
    (path?.shape.test(url.pathname) ?? true) &&
    needs.every((name) => url.searchParams.get(name)) &&
    (takes === undefined || given.every((name) => takes.includes(name)));
  return fits ? null : 'chat_path';
}

// What an address of a chat service has to look like.
export function chatAddressRule(format: WebhookFormat): string {
  const { hosts = [], path, needs = [] } = CHAT_ADDRESSES[format] ?? {};
  const names = hosts.map((host) => (host.startsWith('.') ? `one below ${host.slice(1)}` : host));
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : names.join('');
  const parameters = needs.length > 0 ? ` with ${needs.join(' and ')}` : '';
  return `its host must be ${list}${path ? `, and its path is ${path.words}${parameters}` : ''}`;
}
