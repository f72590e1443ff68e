// Splits a release body into headings, list items, paragraphs, table rows and code: one pass, markdown and HTML alike.
import { type HiddenBlock, hiddenBlocks, LITERAL_ELEMENTS, lineTracker } from '../markdown/hidden-blocks.ts';
import { readIndent, trimEnd } from '../markdown/line-syntax.ts';
import { type Needle, Seeker } from '../markdown/offsets.ts';
import { addMarkdownLine, BlockList, DETAILS_LEVEL, type NoteBlock, type ScannedLine } from './markdown-lines.ts';

const NEWLINE = { pattern: /\n/g, length: 1 } satisfies Needle;

export function scanBlocks(content: string): NoteBlock[] {
  const list = new BlockList(content);
  const html = new HtmlLines(list);
  const isHtml = isHtmlBody(content);
  const addLine = (start: number, end: number): void => {
    const { at, column } = skipQuoteMarkers(content, start, end);
    const line = { start, at, column, end };
    if (html.inLiteral || isHtml || content[at] === '<') html.add(line);
    else addMarkdownLine(list, line);
  };

  const newlines = new Seeker(content, NEWLINE);
  const hidden = hiddenBlocks(content).values();
  let block = hidden.next().value;
  for (let start = 0; start < content.length; ) {
    const newline = newlines.from(start);
    const end = newline === -1 ? content.length : newline;
    if (block && block.start < Math.max(end, start + 1)) {
      const hasText = readIndent(content, start, block.start).at < block.start;
      if (hasText) addLine(start, trimEnd(content, start, block.start));
      if (!html.inLiteral) addHiddenBlock(list, block);
      start = block.end;
      block = hidden.next().value;
      continue;
    }
    addLine(start, trimEnd(content, start, end));
    start = end + 1;
  }
  return list.finish();
}

// Position and column of the text of a line behind its block quote markers.
function skipQuoteMarkers(content: string, start: number, end: number): { at: number; column: number } {
  let indent = readIndent(content, start, end);
  while (content[indent.at] === '>' && indent.at < end) {
    indent = readIndent(content, indent.at + 1, end);
    // The space behind a marker belongs to it.
    indent.column = Math.max(0, indent.column - 1);
  }
  return indent;
}

// Code is a block, because it may be all that a section holds; comments and front matter are nothing.
function addHiddenBlock(list: BlockList, { kind, start, end }: HiddenBlock): void {
  const code = { kind: 'code', lineStart: start, start, end: start, level: 0, indent: 0 } as const;
  if (kind === 'fence') list.add({ ...code, end: trimEnd(list.content, start, end) });
  if (kind !== 'literal') return;
  const isCode = /^<pre/i.test(list.content.slice(start, start + 4));
  if (isCode) list.add(code);
  list.pending = null;
  list.blank();
}

// Adds one line of HTML to the blocks of a body: block-level tags divide it, and the text between them is markdown.

const BLOCK_TAG =
  /<(\/?)(h[1-6]|p|div|li|ul|ol|br|hr|pre|blockquote|table|tr|td|th|thead|tbody|details|summary|section|article|aside|header|footer|main|figure|figcaption|dl|dt|dd|center|script|style|template)(?=[\s/>])[^<>]*>/gi;
const HTML_START = /^\s*<(?:!doctype|html|body|h[1-6]|p|div|ul|ol|table|section|article|main|details)\b/i;

type BlockTag = { name: string; closing: boolean; start: number; end: number };

// A body that begins with a block-level tag is HTML throughout; in others only lines that begin with a tag are.
function isHtmlBody(content: string): boolean {
  return HTML_START.test(content.slice(0, 500));
}

class HtmlLines {
  private readonly list: BlockList;
  private readonly tags: TagCursor;
  private readonly ends = new Map<string, Seeker>();
  // The open element whose content is not read: code, scripts, styles.
  private literal: string | null = null;
  private listDepth = 0;

  constructor(list: BlockList) {
    this.list = list;
    this.tags = new TagCursor(list.content);
  }

  get inLiteral(): boolean {
    return this.literal !== null;
  }

  add(line: ScannedLine): void {
    const tags = this.tags.within(line.at, line.end);
    if (tags.length === 0) {
      if (this.literal === null) addMarkdownLine(this.list, line);
      return;
    }
    let from = line.at;
    for (const tag of tags) {
      this.text(from, tag.start);
      this.tag(tag);
      from = tag.end;
    }
    this.text(from, line.end);
  }

  private text(start: number, end: number): void {
    if (this.literal !== null) return;
    const { at, column } = readIndent(this.list.content, start, end);
    const stop = trimEnd(this.list.content, at, end);
    if (stop > at) addMarkdownLine(this.list, { start, at, column, end: stop });
  }

  private tag({ name, closing, start }: BlockTag): void {
    const { list } = this;
    if (this.literal !== null) {
      if (closing && name === this.literal) this.literal = null;
      return;
    }
    list.open = null;
    if (name === 'br') return;
    list.afterBlank = true;
    if (closing && name !== 'p') list.pending = null;
    if (name === 'ul' || name === 'ol') this.listDepth = Math.max(0, this.listDepth + (closing ? -1 : 1));
    else if (name === 'table') list.inTable = !closing;
    else if (!closing) this.openingTag(name, start);
    else if (name === 'details') {
      list.add({ kind: 'close', lineStart: start, start, end: start, level: DETAILS_LEVEL, indent: 0 });
    }
  }

  private openingTag(name: string, at: number): void {
    const { list } = this;
    if (name === 'li') list.pending = { kind: 'item', level: 0, indent: Math.max(0, this.listDepth - 1) * 4 };
    else if (name === 'summary') list.pending = { kind: 'heading', level: DETAILS_LEVEL, indent: 0 };
    else if (/^h[1-6]$/.test(name)) list.pending = { kind: 'heading', level: Number(name[1]), indent: 0 };
    else if (name in LITERAL_ELEMENTS && this.isClosed(name, at)) {
      this.literal = name;
      if (name === 'pre') list.add({ kind: 'code', lineStart: at, start: at, end: at, level: 0, indent: 0 });
    }
  }

  // An element that is never closed hides nothing, by the same rule as in `hidden-blocks.ts`.
  private isClosed(name: string, at: number): boolean {
    const needle = LITERAL_ELEMENTS[name];
    if (needle === undefined) return false;
    const end = this.ends.get(name) ?? new Seeker(this.list.content, needle);
    this.ends.set(name, end);
    return end.from(at) !== -1;
  }
}

// Finds the block-level tags of a text in one pass, with one tag of lookahead.
class TagCursor {
  private readonly content: string;
  private readonly lines: ReturnType<typeof lineTracker>;
  private next: BlockTag | null;

  constructor(content: string) {
    this.content = content;
    this.lines = lineTracker(content);
    this.next = content.includes('<') ? this.search(0) : null;
  }

  // The tags of a line; one inside a code span is text.
  within(start: number, end: number): BlockTag[] {
    const tags: BlockTag[] = [];
    for (let tag = this.from(start); tag && tag.start < end; tag = this.from(tag.end)) {
      if (!this.lines.at(tag.start).isCode) tags.push(tag);
    }
    return tags;
  }

  private from(at: number): BlockTag | null {
    if (this.next && this.next.start < at) this.next = this.search(at);
    return this.next;
  }

  private search(at: number): BlockTag | null {
    BLOCK_TAG.lastIndex = at;
    const match = BLOCK_TAG.exec(this.content);
    if (!match) return null;
    const name = match[2]?.toLowerCase() ?? '';
    return { name, closing: match[1] === '/', start: match.index, end: match.index + match[0].length };
  }
}
