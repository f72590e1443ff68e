// HTML as markdown. What is not HTML is markdown already and only tidied.
import type { ChildNode } from 'domhandler';
import { hiddenBlocks } from '../markdown/hidden-blocks.ts';
import { fenceRun } from '../markdown/line-syntax.ts';
import type { TextRange } from '../markdown/offsets.ts';
import { type BaseOptions, documentBase } from './addresses.ts';
import { writeBlocks } from './blocks.ts';
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

const MAX_CONTENT_BYTES = 1024 * 1024;
const NOTICE = '[truncated]';

// Markdown of at most `max` bytes; a longer text ends with a whole block and a line that says so.
export function cutContent(markdown: string, max = MAX_CONTENT_BYTES): string {
  if (markdown.length * 3 <= max || Buffer.byteLength(markdown) <= max) return markdown;
  const room = prefixWithin(markdown, max - NOTICE.length - 2);
  const fences = hiddenBlocks(markdown);
  const end = lastEnd(markdown, '\n\n', room, fences) ?? lastEnd(markdown, '\n', room, fences);
  if (end !== null) return `${markdown.slice(0, end).trimEnd()}\n\n${NOTICE}`;
  return cutInside(markdown, room, fences[0]);
}

// The last end of a line or block before `room` that no fence holds.
function lastEnd(text: string, mark: string, room: number, fences: readonly TextRange[]): number | null {
  let fence = fences.length - 1;
  let at = text.lastIndexOf(mark, room - 1);
  while (at > 0) {
    while (fence >= 0 && (fences[fence] as TextRange).start > at) fence -= 1;
    const range = fences[fence];
    if (range === undefined || at + 1 >= range.end) return at;
    at = range.start === 0 ? 0 : text.lastIndexOf(mark, range.start - 1);
  }
  return null;
}

// One block that is longer than everything allowed: a fence is closed again, anything else ends in mid-sentence.
function cutInside(text: string, room: number, fence: TextRange | undefined): string {
  const mark = fence?.start === 0 ? fenceRun(text.slice(0, text.indexOf('\n') + 1 || text.length).trimEnd()) : null;
  if (mark === null || mark.length > 100) return `${text.slice(0, room)}\n\n${NOTICE}`;
  const line = text.lastIndexOf('\n', room - mark.length - 1);
  return `${text.slice(0, line)}\n${mark}\n\n${NOTICE}`;
}

// How many UTF-16 units fit into so many bytes of UTF-8, never half of a surrogate pair.
function prefixWithin(text: string, bytes: number): number {
  let used = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isPair = unit >= 0xd800 && unit <= 0xdbff;
    used += unit < 0x80 ? 1 : unit < 0x800 ? 2 : isPair ? 4 : 3;
    if (used > bytes) return at;
    if (isPair) at += 1;
  }
  return text.length;
}
