// The formats of deliveries.
import { discordBody, googleChatBody, slackBody, teamsBody } from './chat-bodies.ts';
import { type ChatRelease, chatMessage, type ReleaseMessage } from './chat-message.ts';
import { plainBody, plainHeaders } from './plain-text.ts';

export const WEBHOOK_FORMATS = ['json', 'slack', 'discord', 'teams', 'google_chat', 'text'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

// The address of a chat service is its secret; whoever runs a receiver of their own checks a signature.
export function isSigned(format: WebhookFormat): boolean {
  return format === 'json' || format === 'text';
}

interface Rendered {
  headers: Readonly<Record<string, string>>;
  body: string;
}

const CHAT_BODIES: Readonly<Record<Exclude<WebhookFormat, 'json' | 'text'>, (message: ReleaseMessage) => object>> = {
  slack: slackBody,
  discord: discordBody,
  teams: teamsBody,
  google_chat: googleChatBody,
};

// The body of a delivery and the headers that belong to it: the event itself, or a message made of it.
export function renderIn(format: WebhookFormat, payload: string): Rendered {
  const headers = { 'Content-Type': 'application/json' };
  if (format === 'json') return { headers, body: payload };
  const { release } = JSON.parse(payload) as { release: ChatRelease };
  const message = chatMessage(release);
  if (format === 'text') return { headers: plainHeaders(message), body: plainBody(message) };
  return { headers, body: JSON.stringify(CHAT_BODIES[format](message)) };
}
