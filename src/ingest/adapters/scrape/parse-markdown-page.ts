// A page that is served as markdown is parsed as a changelog file.

import { parseChangelog } from '../../../domain/changelog/entries.ts';
import { tidyMarkdown } from '../../../domain/html/to-markdown.ts';
import { threadTask } from '../../../threads/task.ts';
import type { Item } from '../contract.ts';
import type { PageOptions } from './page-document.ts';
import { pageItem } from './page-items.ts';
import { changelogEntry } from './parsers/headings.ts';

const MAX_ITEMS = 500;

export function parseMarkdownPage(markdown: string, { address, names, now }: PageOptions): Item[] {
  const entries = parseChangelog(tidyMarkdown(markdown), { names, now });
  return entries.slice(0, MAX_ITEMS).map((found) => pageItem(address, changelogEntry(found, found.anchor), 1));
}

export function parseMarkdownDocument(input: { markdown: string; options: PageOptions }): Item[] {
  return parseMarkdownPage(input.markdown, input.options);
}

export const MARKDOWN_PARSING = threadTask(import.meta.url, parseMarkdownDocument);
