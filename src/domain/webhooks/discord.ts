// A release as a message for Discord's webhooks.
import { cutWithMark, type ReleaseMessage } from './chat-message.ts';

const TITLE_MAX = 256;
const NAME_MAX = 256;
const CONTENT_MAX = 2000;
const COLOR = 5_793_266;

export function discordBody({ context, avatarUrl, title, link, summary, publishedAt }: ReleaseMessage): object {
  return {
    content: cutWithMark(`${context} — ${title}`, CONTENT_MAX),
    embeds: [
      {
        title: cutWithMark(title, TITLE_MAX),
        url: link,
        ...(summary === null ? {} : { description: summary }),
        color: COLOR,
        author: { name: cutWithMark(context, NAME_MAX), ...(avatarUrl ? { icon_url: avatarUrl } : {}) },
        ...(publishedAt === null ? {} : { timestamp: publishedAt }),
      },
    ],
    // Whatever a title says, nobody is called by it.
    allowed_mentions: { parse: [] },
  };
}
