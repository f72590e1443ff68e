// Adds one line of HTML to the blocks of a body: block-level tags divide it, and the text between them is markdown.
import { LITERAL_ELEMENTS } from '../markdown/html-blocks.ts';
import { readIndent, trimEnd } from '../markdown/line-syntax.ts';
import { Seeker } from '../markdown/seek.ts';
import { type BlockList, DETAILS_LEVEL } from './block-list.ts';
import { addMarkdownLine, type ScannedLine } from './markdown-lines.ts';

const BLOCK_TAG =
  /<(\/?)(h[1-6]|p|div|li|ul|ol|br|hr|pre|blockquote|table|tr|td|th|thead|tbody|details|summary|section|article|aside|header|footer|main|figure|figcaption|dl|dt|dd|center|script|style|template)(?=[\s/>])[^<>]*>/gi;
const HTML_START = /^\s*<(?:!doctype|html|body|h[1-6]|p|div|ul|ol|table|section|article|main|details)\b/i;

type BlockTag = { name: string; closing: boolean; start: number; end: number };

// A body that begins with a block-level tag is HTML throughout; in others only lines that begin with a tag are.
export function isHtmlBody(content: string): boolean {
  return HTML_START.test(content.slice(0, 500));
}

export class HtmlLines {
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
  private next: BlockTag | null;

  constructor(content: string) {
    this.content = content;
    this.next = content.includes('<') ? this.search(0) : null;
  }

  // The tags of a line; one inside a code span is text.
  within(start: number, end: number): BlockTag[] {
    const tags: BlockTag[] = [];
    let counted = start;
    let backticks = 0;
    for (let tag = this.from(start); tag && tag.start < end; tag = this.from(tag.end)) {
      backticks += countBackticks(this.content, counted, tag.start);
      counted = tag.start;
      if (backticks % 2 === 0) tags.push(tag);
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

function countBackticks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === 0x60) count += 1;
  return count;
}
