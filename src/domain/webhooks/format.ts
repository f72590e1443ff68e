// The formats of deliveries.
import { type ChatRelease, chatMessage, discordBody, slackBody } from './chat-message.ts';

export const WEBHOOK_FORMATS = ['json', 'slack', 'discord'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export function isSigned(format: WebhookFormat): boolean {
  return format === 'json';
}

// The body of a delivery: the event itself, or a chat message made of it.
export function bodyIn(format: WebhookFormat, payload: string): string {
  if (format === 'json') return payload;
  const { release } = JSON.parse(payload) as { release: ChatRelease };
  const message = chatMessage(release);
  return JSON.stringify(format === 'slack' ? slackBody(message) : discordBody(message));
}
