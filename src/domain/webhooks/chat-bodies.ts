// A release as the JSON that each chat service takes. Its texts are strangers': they must neither mention anybody nor make links.
import { cutWithMark, type ReleaseMessage } from './chat-message.ts';

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

// A release as a message for Slack's incoming webhooks.
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

const CARD_TITLE_MAX = 500;
const READ = 'Read the notes';

// A release as an Adaptive Card for a workflow of Teams. Text runs are shown as they are, where text blocks would read Markdown.
export function teamsBody({ context, avatarUrl, title, link, summary, publishedAt }: ReleaseMessage): object {
  const run = (text: string, more: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: literal(text), ...more }],
  });
  const heading = {
    type: 'Column',
    width: 'stretch',
    items: [
      run(cutWithMark(title, CARD_TITLE_MAX), { weight: 'Bolder', size: 'Medium' }),
      run(subtitleOf(context, publishedAt), { isSubtle: true }),
    ],
  };
  const picture = {
    type: 'Column',
    width: 'auto',
    items: [{ type: 'Image', url: avatarUrl, altText: literal(cutWithMark(context, NAME_MAX)), size: 'Small' }],
  };
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: literal(`${cutWithMark(context, NAME_MAX)} — ${cutWithMark(title, CARD_TITLE_MAX)}`),
    body: [
      { type: 'ColumnSet', columns: avatarUrl === null ? [heading] : [picture, heading] },
      ...(summary === null ? [] : [run(summary)]),
    ],
    actions: [{ type: 'Action.OpenUrl', title: READ, url: link }],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

// Cards fill in `{{DATE(…)}}` and `{{TIME(…)}}`; with a blank between the braces they leave the text alone.
function literal(text: string): string {
  return text.replace(/\{\{(?=(?:DATE|TIME)\()/gi, '{ {');
}

// A release as a card for an incoming webhook of Google Chat. Its text reads `<users/all>` as a mention and its paragraphs
// read HTML.
export function googleChatBody({ context, avatarUrl, title, link, summary, publishedAt }: ReleaseMessage): object {
  const shown = bracketless(cutWithMark(title, CARD_TITLE_MAX));
  const owner = bracketless(cutWithMark(context, NAME_MAX));
  const card = {
    header: {
      title: shown,
      subtitle: subtitleOf(owner, publishedAt),
      ...(avatarUrl ? { imageUrl: avatarUrl, imageType: 'CIRCLE', imageAltText: owner } : {}),
    },
    sections: [
      {
        widgets: [
          ...(summary === null ? [] : [{ textParagraph: { text: escaped(summary) } }]),
          { buttonList: { buttons: [{ text: READ, onClick: { openLink: { url: link } } }] } },
        ],
      },
    ],
  };
  return { text: `${owner} — ${shown}`, cardsV2: [{ cardId: 'release', card }] };
}

function bracketless(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}

function subtitleOf(context: string, publishedAt: string | null): string {
  const owner = cutWithMark(context, NAME_MAX);
  return publishedAt === null ? owner : `${owner} · ${publishedAt.slice(0, 10)}`;
}
