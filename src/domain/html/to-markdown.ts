// HTML as markdown. What is not HTML is markdown already and only tidied.
import type { ChildNode } from 'domhandler';
import { type BaseOptions, documentBase } from './addresses.ts';
import { writeBlocks } from './blocks.ts';
import { cutContent, MAX_CONTENT_BYTES } from './cut.ts';
import { holdsBlockTag } from './is-html.ts';
import { parseHtml } from './parse.ts';

type MarkdownOptions = BaseOptions;

// What XML forbids, and halves of surrogate pairs, which no encoding can hold.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

// The text of a body, given as HTML or markdown, as markdown of at most 1 MiB.
export function toMarkdown(input: string, options: MarkdownOptions = {}): string {
  return holdsBlockTag(input) ? htmlToMarkdown(parseHtml(input).children, options) : tidyMarkdown(input);
}

// The same for nodes that are known to be HTML, such as a part of a page.
export function htmlToMarkdown(nodes: readonly ChildNode[], options: MarkdownOptions = {}): string {
  const markdown = writeBlocks(nodes, documentBase(nodes, options), MAX_CONTENT_BYTES);
  return cutContent(withoutForbidden(markdown).trim());
}

// Line ends, non-breaking spaces and long runs of blank lines; nothing else of a markdown text is touched.
export function tidyMarkdown(text: string): string {
  const tidy = withoutForbidden(text)
    .replace(/\r\n?/g, '\n')
    .replace(/\u00a0/g, ' ')
    .replace(/\n(?:[ \t]*\n){3,}/g, '\n\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  return cutContent(tidy);
}

export function withoutForbidden(text: string): string {
  return text.replace(FORBIDDEN, '');
}
