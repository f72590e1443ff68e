// Feeds that only announce: the text of an item is then read from its page, in a job after the insert.

import { readDocument } from '../../../threads/documents.ts';
import type { AdapterContext } from '../contract.ts';
import { documentText } from '../document-text.ts';
import { type Failure, readableAnswer } from '../outcomes.ts';
import { ARTICLE_READING, type Article } from './article-body.ts';

export type { Article };

export const ARTICLES_PER_RUN = 10;

const THIN = 600;
const MIN_ITEMS = 3;
const THIN_SHARE = 0.6;
const GROWTH = 1.5;

export function isThinFeed(items: readonly { content: string }[]): boolean {
  const thin = items.filter(({ content }) => content.length < THIN).length;
  return items.length >= MIN_ITEMS && thin >= items.length * THIN_SHARE;
}

// Whether the text of the page should replace the teaser.
export function isFuller(article: string, teaser: string): boolean {
  return article.length >= Math.max(THIN, GROWTH * teaser.length);
}

// The article behind an item; null when its page has no more to say than the teaser.
export async function readArticle(
  ctx: Pick<AdapterContext, 'fetch' | 'robotsFailure' | 'now'>,
  { url, content: teaser }: { url: string; content: string },
): Promise<Article | Failure | null> {
  const forbidden = await ctx.robotsFailure(url);
  if (forbidden) return forbidden;
  const accept = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1';
  const answer = readableAnswer(await ctx.fetch({ url, headers: { accept } }), ctx.now);
  if ('outcome' in answer) return answer;
  const html = await documentText(answer);
  const found = await readDocument(ARTICLE_READING, { html, pageUrl: answer.finalUrl }, html.length);
  return found !== null && isFuller(found.content, teaser) ? found : null;
}
