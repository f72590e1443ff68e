import { classOfName } from './headings.ts';
import { atxHeading, listText, readIndent, runLength, trimEnd, uniformRun } from './line-marks.ts';
import { isNoiseLine } from './noise.ts';
import type { Span } from './types.ts';

export type Block = Span & {
  kind: 'heading' | 'item' | 'text' | 'table' | 'code' | 'close';
  /** Heading depth: 1–6 as marked, PSEUDO_LEVEL for bold and label lines, DETAILS_LEVEL for a fold-out. */
  level: number;
  indent: number;
  lines: number;
  lineStart: number;
  /** A heading known by its words alone; it is text again when nothing follows it. */
  label: boolean;
};

const PSEUDO_LEVEL = 7;
const DETAILS_LEVEL = 8;

const BLOCK_TAG =
  /<(\/?)(h[1-6]|p|div|li|ul|ol|br|hr|pre|blockquote|table|tr|td|th|thead|tbody|details|summary|section|article|aside|header|footer|main|figure|figcaption|dl|dt|dd|center|script|style|template)(?=[\s/>])[^<>]*>/gi;
const HTML_START = /^\s*<(?:!doctype|html|body|h[1-6]|p|div|ul|ol|table|section|article|main|details)\b/i;
const BOLD_LINE = /^(?:\*\*|__)(?=\S)([^*_]|_(?!_)){1,80}(?:\*\*|__):?$/;
const DEFINITION = /^\[[^\]]{1,200}\]:\s*\S/;
const ALERT = /^\[!\w{1,20}\]$/;
const LONGEST_TITLE = 120;

/** Splits a body into headings, list entries, paragraphs, table rows and code: one pass, markdown and HTML alike. */
export function scanBlocks(content: string): Block[] {
  const scanner = new BlockScanner(content);
  scanner.run();
  return withoutIdleLabels(scanner.blocks);
}

/** "Bug fixes" is a heading above its entries, and a sentence when it stands alone. */
function withoutIdleLabels(blocks: Block[]): Block[] {
  blocks.forEach((block, index) => {
    const next = blocks[index + 1];
    if (block.label && (!next || next.kind === 'heading' || next.kind === 'close')) block.kind = 'text';
  });
  return blocks;
}

class BlockScanner {
  readonly blocks: Block[] = [];
  private readonly content: string;
  private readonly html: boolean;
  /** The paragraph or entry that a following line of text continues. */
  private open: Block | null = null;
  private pending: { kind: 'heading' | 'item'; level: number; indent: number } | null = null;
  private fence: { code: number; length: number; block: Block } | null = null;
  /** HTML element whose text is not read. */
  private closed: string | null = null;
  private listDepth = 0;
  private inTable = false;
  private inList = false;
  private afterBlank = true;
  private flush = false;
  private nextTag: RegExpExecArray | null;

  constructor(content: string) {
    this.content = content;
    BLOCK_TAG.lastIndex = 0;
    this.nextTag = BLOCK_TAG.exec(content);
    this.html = HTML_START.test(content.slice(0, 500));
  }

  run(): void {
    const { content } = this;
    let start = 0;
    let end = -1;
    let comment = content.indexOf('<!--');
    while (start < content.length) {
      if (end < start) end = content.indexOf('\n', start);
      if (end === -1) end = content.length;
      if (comment !== -1 && comment < start) comment = content.indexOf('<!--', start);
      const next = comment !== -1 && comment < end ? this.afterComment(start, comment, end) : -1;
      if (next === -1) this.line(start, trimEnd(content, start, end));
      start = next === -1 ? end + 1 : next;
    }
  }

  /** Reads what stands before a comment and tells where to go on, -1 when the comment is part of its line. */
  private afterComment(start: number, comment: number, end: number): number {
    const { content } = this;
    if (this.fence || this.closed || countTicks(content, start, comment) % 2 === 1) return -1;
    const close = content.indexOf('-->', comment + 4);
    const opensLine = readIndent(content, start, comment).at === comment;
    if (close !== -1 && close < end && !opensLine) return -1;
    if (!opensLine) this.line(start, trimEnd(content, start, comment));
    return close === -1 ? content.length : close + 3;
  }

  private line(start: number, end: number): void {
    const { content } = this;
    let { at, column } = readIndent(content, start, end);
    while (content[at] === '>' && at < end && !this.fence) {
      const inner = readIndent(content, at + 1, end);
      at = inner.at;
      column = Math.max(0, inner.column - 1);
    }
    if (this.fence) this.fenceLine(at, end);
    else if (this.closed || (this.html && content[at] !== '|') || content[at] === '<') this.htmlLine(start, at, column, end);
    else this.markdownLine(start, at, column, end);
  }

  private fenceLine(at: number, end: number): void {
    const { fence, content } = this;
    if (!fence) return;
    fence.block.end = end;
    if (content.charCodeAt(at) !== fence.code) return;
    if (runLength(content, at, end) >= fence.length && uniformRun(content, at, end) > 0) this.fence = null;
  }

  private markdownLine(lineStart: number, at: number, column: number, end: number): void {
    if (at >= end) return this.blank();
    const { content } = this;
    const mark = content[at] ?? '';
    if ((mark === '`' || mark === '~') && this.startsFence(lineStart, at, end)) return;
    if ('=-*_~^"+'.includes(mark) && this.underline(at, end)) return;
    if (mark === '#') {
      const heading = atxHeading(content, at, end);
      if (heading) return this.add('heading', lineStart, heading.start, this.withoutClosingMarks(heading.start, end), heading.level);
    }
    if (mark === '|') return this.add('table', lineStart, at, end);
    const entry = listText(content, at, end);
    const text = content.slice(entry === -1 ? at : entry, end);
    if (isNoiseLine(text)) return this.blank();
    if (entry !== -1) return this.add('item', lineStart, entry, end, 0, column);
    this.textLine(lineStart, at, column, end, text);
  }

  private textLine(lineStart: number, at: number, column: number, end: number, text: string): void {
    if (this.pending) {
      const { kind, level, indent } = this.pending;
      this.pending = null;
      return this.add(kind, lineStart, at, end, level, indent);
    }
    if (DEFINITION.test(text) || ALERT.test(text)) return this.blank();
    if (BOLD_LINE.test(text) && !/[.!?][*_:]*$/.test(text)) return this.add('heading', lineStart, at, end, PSEUDO_LEVEL);
    if (column < 2 && this.isLabel(text)) {
      this.add('heading', lineStart, at, end, PSEUDO_LEVEL);
      const added = this.blocks.at(-1);
      if (added) added.label = true;
      return;
    }
    if (this.open) {
      this.open.end = end;
      this.open.lines += 1;
      return;
    }
    if (column < 4) this.flush = true;
    if (this.afterBlank && column < 2) this.inList = false;
    const isCode = column >= 4 && this.afterBlank && !this.inList && this.flush;
    this.add(isCode ? 'code' : this.inTable ? 'table' : 'text', lineStart, at, end, 0, column);
  }

  /** A line that is, as a whole, a known heading name: "What's new:", "Bug Fixes". */
  private isLabel(text: string): boolean {
    if (text.length > 40 || text.endsWith('.') || !/^[^a-z]/.test(text) || !classOfName(text)) return false;
    if (!this.open || this.open.kind !== 'text' || text.endsWith(':')) return true;
    return /[.!?:]/.test(this.content[this.open.end - 1] ?? '');
  }

  private startsFence(lineStart: number, at: number, end: number): boolean {
    const length = runLength(this.content, at, end);
    if (length < 3 || this.titleAbove(length)) return false;
    if (this.content[at] === '`' && this.content.slice(at + length, end).includes('`')) return false;
    this.add('code', lineStart, at, end);
    const block = this.blocks.at(-1);
    if (block) this.fence = { code: this.content.charCodeAt(at), length, block };
    return true;
  }

  /** A single line of text that an underline of this length would make a title. */
  private titleAbove(length: number): boolean {
    const { open } = this;
    return open?.kind === 'text' && open.lines === 1 && length > 3 && length >= open.end - open.start;
  }

  /** Underline of the line above, or a rule between blocks. */
  private underline(at: number, end: number): boolean {
    const { content, open } = this;
    const count = uniformRun(content, at, end);
    const mark = content[at] ?? '';
    if (count < 2) return false;
    const single = open?.kind === 'text' && open.lines === 1 && open.end - open.start <= LONGEST_TITLE;
    if (open && single && (mark === '=' || (mark === '-' && count > 2) || this.titleAbove(count))) {
      open.kind = 'heading';
      open.level = mark === '=' ? 1 : mark === '-' ? 2 : 3;
      this.blank();
      return true;
    }
    if (count < 3 || !'-*_='.includes(mark)) return false;
    this.blank();
    return true;
  }

  private withoutClosingMarks(start: number, end: number): number {
    let at = end;
    while (at > start && this.content[at - 1] === '#') at -= 1;
    return at < end && at > start && /\s/.test(this.content[at - 1] ?? '') ? trimEnd(this.content, start, at) : end;
  }

  private blank(): void {
    this.open = null;
    this.afterBlank = true;
  }

  private add(kind: Block['kind'], lineStart: number, start: number, end: number, level = 0, indent = 0): void {
    const block: Block = { kind, start, end, level, indent, lines: 1, lineStart, label: false };
    this.blocks.push(block);
    this.open = kind === 'item' || kind === 'text' ? block : null;
    this.afterBlank = false;
    this.pending = null;
    if (kind === 'heading') this.inList = false;
    if (kind === 'item') this.inList = true;
    if (kind !== 'code') this.flush ||= indent < 4;
  }

  /** Cuts a line at its block-level tags; what stands between them is read as lines of their own. */
  private htmlLine(lineStart: number, at: number, column: number, end: number): void {
    const { content } = this;
    let from = at;
    let counted = at;
    let ticks = 0;
    for (let tag = this.tagFrom(at); tag && tag.index < end; tag = this.tagFrom(tag.index + tag[0].length)) {
      ticks += countTicks(content, counted, tag.index);
      counted = tag.index;
      if (ticks % 2 === 1) continue;
      this.segment(from, tag.index);
      this.tag(tag[2]?.toLowerCase() ?? '', tag[1] === '/', lineStart);
      from = tag.index + tag[0].length;
    }
    if (from > at) this.segment(from, end);
    else if (!this.closed) this.markdownLine(lineStart, at, column, end);
  }

  /** The next block-level tag; kept until it is passed, so that lines without one cost nothing. */
  private tagFrom(at: number): RegExpExecArray | null {
    if (this.nextTag && this.nextTag.index < at) {
      BLOCK_TAG.lastIndex = at;
      this.nextTag = BLOCK_TAG.exec(this.content);
    }
    return this.nextTag;
  }

  private segment(start: number, end: number): void {
    if (this.closed) return;
    const { at, column } = readIndent(this.content, start, end);
    const stop = trimEnd(this.content, at, end);
    if (stop > at) this.markdownLine(start, at, column, stop);
  }

  private tag(name: string, closing: boolean, lineStart: number): void {
    if (this.closed) {
      if (closing && name === this.closed) this.closed = null;
      return;
    }
    this.open = null;
    if (name === 'br') return;
    this.afterBlank = true;
    if (closing && name !== 'p') this.pending = null;
    if (name === 'ul' || name === 'ol') this.listDepth = Math.max(0, this.listDepth + (closing ? -1 : 1));
    else if (name === 'table') this.inTable = !closing;
    else if (name === 'details' && closing) this.add('close', lineStart, lineStart, lineStart, DETAILS_LEVEL);
    else if (!closing) this.openTag(name, lineStart);
  }

  private openTag(name: string, lineStart: number): void {
    if (name === 'li') this.pending = { kind: 'item', level: 0, indent: Math.max(0, this.listDepth - 1) * 4 };
    else if (name === 'summary') this.pending = { kind: 'heading', level: DETAILS_LEVEL, indent: 0 };
    else if (/^h[1-6]$/.test(name)) this.pending = { kind: 'heading', level: Number(name[1]), indent: 0 };
    else if (name === 'script' || name === 'style' || name === 'template') this.closed = name;
    else if (name === 'pre') {
      this.closed = name;
      this.add('code', lineStart, lineStart, lineStart);
    }
  }
}

function countTicks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === 96) count += 1;
  return count;
}
