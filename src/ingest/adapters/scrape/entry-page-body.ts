// The text of a page that is one entry: what an index list links to.

import type { Element } from 'domhandler';
import type { MediaItem } from '../../../contract/release.ts';
import { elementsOf, isRemoved, tagName } from '../../../domain/html/elements.ts';
import { mediaOfNodes } from '../../../domain/html/media.ts';
import { htmlToMarkdown } from '../../../domain/html/to-markdown.ts';
import { threadTask } from '../../../threads/task.ts';
import { copyWithout } from './nodes.ts';
import { type PageOptions, readPageDocument } from './page-document.ts';
import { parseJsonLd } from './parsers/json-ld.ts';

interface EntryPageBody {
  content: string;
  media: MediaItem[];
}

const SHORT = 40;

// The one `article` of the page, else its main content; linked data only when the page itself shows nothing.
export function entryPageBody(html: string, options: PageOptions): EntryPageBody {
  const page = readPageDocument(html, options);
  const articles = elementsOf(page.main, isRemoved)
    .filter((element) => tagName(element) === 'article')
    .take(2)
    .toArray();
  const nodes = copyWithout(articles.length === 1 ? articles : page.main, titleOnce());
  const content = htmlToMarkdown(nodes, { address: page.base });
  if (content.length >= SHORT) return { content, media: mediaOfNodes(nodes, { address: page.base }) };
  const [described] = parseJsonLd(page);
  if (described && described.content.length > content.length)
    return { content: described.content, media: described.media };
  return { content, media: mediaOfNodes(nodes, { address: page.base }) };
}

// The title is known from the list; further headings of the first level belong to the text.
function titleOnce(): (element: Element) => boolean {
  let seen = false;
  return (element) => {
    if (seen || tagName(element) !== 'h1') return false;
    seen = true;
    return true;
  };
}

export function readEntryPage(input: { html: string; options: PageOptions }): EntryPageBody {
  return entryPageBody(input.html, input.options);
}

export const ENTRY_PAGE_READING = threadTask(import.meta.url, readEntryPage);
