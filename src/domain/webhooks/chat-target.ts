// Where chat messages may go: the address itself is the secret, so it has to be one of the chat service's own.
import type { WebhookFormat } from './format.ts';

export type ChatRefusal = 'chat_host' | 'chat_path';

const SLACK_HOSTS = new Set(['hooks.slack.com', 'hooks.slack-gov.com']);
const DISCORD_HOSTS = new Set(['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com']);
const DISCORD_PATH = /^\/api\/webhooks\/\d+\/[A-Za-z0-9._-]+\/?$/;
const DISCORD_QUERY = new Set(['wait', 'thread_id']);

export function chatRefusal(format: WebhookFormat, url: URL): ChatRefusal | null {
  if (format === 'slack') return SLACK_HOSTS.has(url.host) ? null : 'chat_host';
  if (format === 'discord') return discordRefusal(url);
  return null;
}

function discordRefusal(url: URL): ChatRefusal | null {
  if (!DISCORD_HOSTS.has(url.host)) return 'chat_host';
  const known = [...url.searchParams.keys()].every((key) => DISCORD_QUERY.has(key));
  return known && DISCORD_PATH.test(url.pathname) ? null : 'chat_path';
}
