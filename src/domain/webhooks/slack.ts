// A release as a message for Slack's incoming webhooks. Text of strangers must not mention anybody nor make links.
import { cutWithMark, type ReleaseMessage } from './chat-message.ts';

const TITLE_MAX = 500;
const SECTION_MAX = 3000;

export function slackBody(message: ReleaseMessage): object {
  const { context, avatarUrl, publishedAt } = message;
  const title = cutWithMark(message.title, TITLE_MAX);
  const image = avatarUrl ? [{ type: 'image', image_url: avatarUrl, alt_text: escaped(context) }] : [];
  return {
    text: `${escaped(context)} — ${escaped(title)}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: section(message, title) } },
      {
        type: 'context',
        elements: [...image, { type: 'mrkdwn', text: `${escaped(context)}${dateOf(publishedAt)}` }],
      },
    ],
  };
}

// Escaping makes hostile text longer; a message that is too long would be refused whole.
function section({ link, summary }: ReleaseMessage, title: string): string {
  const head = `*<${escapedLink(link)}|${escaped(title).replaceAll('|', '¦')}>*`;
  const whole = summary === null ? head : `${head}\n${escaped(summary)}`;
  return whole.length > SECTION_MAX ? head : whole;
}

function dateOf(publishedAt: string | null): string {
  if (publishedAt === null) return '';
  const unix = Math.floor(Date.parse(publishedAt) / 1000);
  return ` · <!date^${unix}^{date_short_pretty}|${publishedAt.slice(0, 10)}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapedLink(link: string): string {
  return escaped(link).replaceAll('|', '%7C');
}
