// The formats of deliveries.

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

// A release as a chat message, and that message as the JSON of Discord and Slack.

export interface ChatRelease {
  title: string;
  version: string | null;
  publishedAt: string | null;
  sourceName: string;
  org: { name: string; avatarUrl: string | null; githubHandle: string | null } | null;
  product: { name: string } | null;
  webUrl: string;
  summary: string | null;
}

interface ReleaseMessage {
  // The line that names the owner of the release.
  context: string;
  avatarUrl: string | null;
  title: string;
  link: string;
  summary: string | null;
  publishedAt: string | null;
}

const SUMMARY_MAX = 300;
const SUMMARY_LEAST = 180;

export function chatMessage(release: ChatRelease): ReleaseMessage {
  const { org, product, sourceName, webUrl, publishedAt } = release;
  return {
    context: oneLine(org?.name ?? product?.name ?? sourceName),
    avatarUrl: avatarOf(org),
    title: titleOf(release),
    link: webUrl,
    summary: summaryOf(release.summary),
    publishedAt,
  };
}

function avatarOf(org: ChatRelease['org']): string | null {
  if (org?.avatarUrl) return org.avatarUrl;
  return org?.githubHandle ? `https://github.com/${encodeURIComponent(org.githubHandle)}.png` : null;
}

function titleOf({ title, version }: ChatRelease): string {
  const shown = oneLine(title);
  return version === null || holdsVersion(shown, version) ? shown : `${shown} ${oneLine(version)}`.trim();
}

// Whether a title holds the whole version: `1.2` is neither in `11.2` nor in `1.2.1`.
function holdsVersion(title: string, version: string): boolean {
  const wanted = version.toLowerCase().replace(/^v(?=\d)/, '');
  const text = title.toLowerCase();
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + wanted.length)];
    if (!/[\d.]$/.test(before) && !/^(?:\d|[.+-][\da-z])/.test(after)) return true;
  }
  return false;
}

function summaryOf(summary: string | null): string | null {
  const text = oneLine(summary ?? '');
  if (text === '') return null;
  return cutWithMark(text, SUMMARY_MAX, SUMMARY_LEAST);
}

// Cuts a text to `max` characters with the mark of the cut: at the last blank behind `least`, else inside a word.
function cutWithMark(text: string, max: number, least = max): string {
  if (text.length <= max) return text;
  const blank = text.lastIndexOf(' ', max - 1);
  const end = blank > least ? blank : max - 1;
  // A cut must not leave half of a surrogate pair.
  return `${text
    .slice(0, end)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

const DISCORD_TITLE_MAX = 256;
const NAME_MAX = 256;
const CONTENT_MAX = 2000;
const COLOR = 5_793_266;

// A release as a message for Discord's webhooks.
export function discordBody({ context, avatarUrl, title, link, summary, publishedAt }: ReleaseMessage): object {
  return {
    content: cutWithMark(`${context} — ${title}`, CONTENT_MAX),
    embeds: [
      {
        title: cutWithMark(title, DISCORD_TITLE_MAX),
        url: link,
        ...(summary === null ? {} : { description: summary }),
        color: COLOR,
        author: { name: cutWithMark(context, NAME_MAX), ...(avatarUrl ? { icon_url: avatarUrl } : {}) },
        ...(publishedAt === null ? {} : { timestamp: publishedAt }),
      },
    ],
    // Mentions are disabled, whatever a title contains.
    allowed_mentions: { parse: [] },
  };
}

const SLACK_TITLE_MAX = 500;
const SECTION_MAX = 3000;

// A release as a message for Slack's incoming webhooks. Untrusted text must neither mention anybody nor make links.
export function slackBody(message: ReleaseMessage): object {
  const { context, avatarUrl, publishedAt } = message;
  const title = cutWithMark(message.title, SLACK_TITLE_MAX);
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

// Escaping makes hostile text longer, and Slack refuses a message that is too long, so a summary that does not fit is left out.
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
