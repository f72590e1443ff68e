// The content of a release as markdown: HTML is converted, markdown is tidied, long texts are cut.
import type { ChildNode } from 'domhandler';
import { hiddenBlocks } from '../markdown/hidden-blocks.ts';
import { fenceRun } from '../markdown/line-syntax.ts';
import type { TextRange } from '../markdown/offsets.ts';
import { type BaseOptions, documentBase } from './addresses.ts';
import { writeBlocks } from './blocks.ts';
import { DELIMITERS } from './inline.ts';
import { allTags, holdsBlockTag, isMarkdown, otherTags } from './is-html.ts';
import { parseHtml } from './parse.ts';

type MarkdownOptions = BaseOptions;

// Characters that XML forbids, and lone surrogates, which UTF-8 cannot encode.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

// Markdown of at most 1 MiB from a body of HTML or markdown.
export function toMarkdown(input: string, options: MarkdownOptions = {}): string {
  const convert = (html: string) => htmlToMarkdown(parseHtml(html).children, options);
  if (holdsBlockTag(input)) return convert(input);
  if (otherTags(input).next().done) return tidyMarkdown(input);
  return isMarkdown(input) ? tidyMarkdown(convertTags(input, { convert })) : convert(input);
}

// The same for a body that its source calls plain text.
export function textToMarkdown(text: string): string {
  return tidyMarkdown(escapeTags(text));
}

// The same for parsed HTML, such as a part of a page.
export function htmlToMarkdown(nodes: readonly ChildNode[], options: MarkdownOptions = {}): string {
  const markdown = writeBlocks(nodes, documentBase(nodes, options), MAX_CONTENT_BYTES);
  return cutContent(withoutForbidden(markdown).trim());
}

// Normalizes line ends, no-break spaces and long runs of blank lines. Nothing else of a markdown text is changed.
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

// Markdown of at most `max` bytes. A longer text ends with a whole block and a notice.
export function cutContent(markdown: string, max = MAX_CONTENT_BYTES): string {
  if (markdown.length * 3 <= max || Buffer.byteLength(markdown) <= max) return markdown;
  const room = prefixWithin(markdown, max - NOTICE.length - 2);
  const fences = hiddenBlocks(markdown);
  const end =
    lastEnd(markdown, { separator: '\n\n', room, fences }) ?? lastEnd(markdown, { separator: '\n', room, fences });
  if (end !== null) return `${markdown.slice(0, end).trimEnd()}\n\n${NOTICE}`;
  return cutInside(markdown, room, fences[0]);
}

interface CutOptions {
  // What ends a line or block.
  separator: string;
  room: number;
  fences: readonly TextRange[];
}

// The last end of a line or block before `room` that is not inside of a fence.
function lastEnd(text: string, { separator, room, fences }: CutOptions): number | null {
  let fence = fences.length - 1;
  let at = text.lastIndexOf(separator, room - 1);
  while (at > 0) {
    while (fence >= 0 && (fences[fence] as TextRange).start > at) fence -= 1;
    const range = fences[fence];
    if (range === undefined || at + 1 >= range.end) return at;
    at = range.start === 0 ? 0 : text.lastIndexOf(separator, range.start - 1);
  }
  return null;
}

// Cuts a single block that is longer than allowed: fenced code is closed again, anything else ends in mid-sentence.
function cutInside(text: string, room: number, fence: TextRange | undefined): string {
  const closing = fence?.start === 0 ? fenceRun(text.slice(0, text.indexOf('\n') + 1 || text.length).trimEnd()) : null;
  if (closing === null || closing.length > 100) return `${text.slice(0, room)}\n\n${NOTICE}`;
  const line = text.lastIndexOf('\n', room - closing.length - 1);
  return `${text.slice(0, line)}\n${closing}\n\n${NOTICE}`;
}

// How many UTF-16 units fit into a number of bytes of UTF-8, without splitting a surrogate pair.
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

// Tags inside of markdown or plain text, which are no part of what readers get: each becomes its mark, or nothing.

const NAME = /<(?<slash>\/?)(?<name>[a-z][\w:-]*)/iy;
// Elements that are converted or left out with everything in them.
const WHOLE = new Set(
  `a applet audio button canvas code iframe kbd map math noframes object option samp script select style svg template
  textarea title tt video`.split(/\s+/),
);
const ALONE = new Set(['br', 'img']);

interface TagConversion {
  // HTML of one element as markdown.
  convert: (html: string) => string;
}

function convertTags(text: string, { convert }: TagConversion): string {
  const ends = new TagEnds(text);
  const out: string[] = [];
  let done = 0;
  for (const start of otherTags(text)) {
    if (start < done) continue;
    out.push(text.slice(done, start));
    done = writeTag(start);
  }
  out.push(text.slice(done));
  return out.join('');

  function writeTag(start: number): number {
    if (text.startsWith('<!--', start)) return ends.comment(start) ?? escaped(start);
    const end = ends.tag(start);
    NAME.lastIndex = start;
    const { slash = '', name = '' } = NAME.exec(text)?.groups ?? {};
    if (end === null) return escaped(start);
    const tag = name.toLowerCase();
    if (slash === '' && WHOLE.has(tag)) {
      const close = ends.element(tag, end);
      if (close === null) return end;
      out.push(convert(text.slice(start, close)));
      return close;
    }
    if (tag === 'br') out.push('  \n');
    else if (ALONE.has(tag)) out.push(convert(text.slice(start, end)));
    else out.push(DELIMITERS[tag] ?? '');
    return end;
  }

  // A tag that never ends is text.
  function escaped(start: number): number {
    out.push('\\<');
    return start + 1;
  }
}

// Plain text with tags in it shows them.
function escapeTags(text: string): string {
  const out: string[] = [];
  let done = 0;
  for (const start of allTags(text)) {
    out.push(text.slice(done, start), '\\');
    done = start;
  }
  return out.join('') + text.slice(done);
}

// Finds ends in one pass over the text: what the rest does not hold is not looked for again.
class TagEnds {
  readonly #text: string;
  readonly #missing = new Set<string>();
  // A tag ran to the end of the text, so quotes are not followed any more.
  #lastTag = false;

  constructor(text: string) {
    this.#text = text;
  }

  comment(start: number): number | null {
    return this.#behind('-->', start + 2);
  }

  // An angle bracket in a quoted attribute does not end a tag, unless no other one does.
  tag(start: number): number | null {
    if (this.#missing.has('>') || this.#lastTag) return this.#behind('>', start);
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const character = this.#text[at] ?? '';
      if (character === '>') return at + 1;
      const isQuote = (character === '"' || character === "'") && this.#text[at - 1] === '=';
      const close = isQuote ? this.#behind(character, at + 1) : null;
      if (close !== null) at = close - 1;
    }
    this.#lastTag = true;
    return this.#behind('>', start);
  }

  element(name: string, from: number): number | null {
    const key = `</${name}`;
    if (this.#missing.has(key)) return null;
    const close = new RegExp(`${key}(?=[\\s/>])`, 'gi');
    close.lastIndex = from;
    const found = close.exec(this.#text);
    if (!found) this.#missing.add(key);
    return found ? this.#behind('>', found.index) : null;
  }

  #behind(end: string, from: number): number | null {
    if (this.#missing.has(end)) return null;
    const found = this.#text.indexOf(end, from);
    if (found < 0) this.#missing.add(end);
    return found < 0 ? null : found + end.length;
  }
}
