import { type HiddenBlock, hiddenBlocks } from '../markdown/hidden-blocks.ts';
import {
  atxHeading,
  fenceMark,
  headingEnd,
  listText,
  readIndent,
  trimEnd,
  uniformRun,
} from '../markdown/line-marks.ts';
import { type Needle, Seeker } from '../markdown/seek.ts';
import { classOfName } from './headings.ts';
import { type BlockTag, isHtmlBody, TagCursor } from './html-tags.ts';
import { isNoiseLine } from './noise.ts';
import type { TextSpan } from './types.ts';

type BlockKind = 'heading' | 'item' | 'text' | 'table' | 'code' | 'close';

export type NoteBlock = TextSpan & {
  kind: BlockKind;
  // Heading depth: 1–6 as marked, PSEUDO_LEVEL for bold and label lines, DETAILS_LEVEL for a fold-out.
  level: number;
  indent: number;
  lines: number;
  lineStart: number;
  // A heading known by its words alone; it is text again when nothing follows it.
  label: boolean;
};

type ScannedLine = { start: number; at: number; column: number; end: number };

const PSEUDO_LEVEL = 7;
const DETAILS_LEVEL = 8;
const LONGEST_TITLE = 120;
const BOLD_LINE = /^(?:\*\*|__)(?=\S)(?:[^*_]|_(?!_)){1,80}(?:\*\*|__):?$/;
const DEFINITION = /^\[[^\]]{1,200}\]:\s*\S/;
const ALERT = /^\[!\w{1,20}\]$/;
const NEWLINE = { pattern: /\n/g, length: 1 } satisfies Needle;
// Elements whose text is not read, with what ends them.
const UNREAD = {
  pre: /<\/pre>/gi,
  script: /<\/script>/gi,
  style: /<\/style>/gi,
  template: /<\/template>/gi,
} satisfies Record<string, RegExp>;

// Splits a body into headings, list entries, paragraphs, table rows and code: one pass, markdown and HTML alike.
export function scanBlocks(content: string): NoteBlock[] {
  const scanner = new BlockScanner(content);
  scanner.run();
  return withoutIdleLabels(scanner.blocks);
}

// "Bug fixes" is a heading above its entries, and a sentence when it stands alone.
function withoutIdleLabels(blocks: NoteBlock[]): NoteBlock[] {
  blocks.forEach((block, index) => {
    const next = blocks[index + 1];
    if (block.label && (!next || next.kind === 'heading' || next.kind === 'close')) block.kind = 'text';
  });
  return blocks;
}

class BlockScanner {
  readonly blocks: NoteBlock[] = [];
  private readonly content: string;
  private readonly html: boolean;
  private readonly tags: TagCursor;
  // The paragraph or entry that a following line of text continues.
  private open: NoteBlock | null = null;
  // What an HTML tag said about the text to come.
  private pending: { kind: BlockKind; level: number; indent: number } | null = null;
  // HTML element whose text is not read.
  private unread: string | null = null;
  private readonly ends = new Map<string, Seeker>();
  private listDepth = 0;
  private inTable = false;
  private inList = false;
  private afterBlank = true;
  // Something stood at the margin: only then is indented text code.
  private hasMargin = false;

  constructor(content: string) {
    this.content = content;
    this.html = isHtmlBody(content);
    this.tags = new TagCursor(content);
  }

  run(): void {
    const { content } = this;
    const newlines = new Seeker(content, NEWLINE);
    const hidden = hiddenBlocks(content).values();
    let block = hidden.next().value;
    let start = 0;
    while (start < content.length) {
      const newline = newlines.from(start);
      const end = newline === -1 ? content.length : newline;
      if (block && block.start < Math.max(end, start + 1)) {
        if (readIndent(content, start, block.start).at < block.start)
          this.line(start, trimEnd(content, start, block.start));
        this.hiddenBlock(block);
        start = block.end;
        block = hidden.next().value;
        continue;
      }
      this.line(start, trimEnd(content, start, end));
      start = end + 1;
    }
  }

  // Code is a block that may fill a section; a comment or front matter is not even that.
  private hiddenBlock({ kind, start, end }: HiddenBlock): void {
    if (this.unread) return;
    if (kind === 'fence') this.add('code', start, start, trimEnd(this.content, start, end));
    if (kind !== 'verbatim') return;
    if (/^<pre/i.test(this.content.slice(start, start + 4))) this.add('code', start, start, start);
    this.pending = null;
    this.blank();
  }

  private line(start: number, end: number): void {
    const { content } = this;
    let { at, column } = readIndent(content, start, end);
    while (content[at] === '>' && at < end) {
      const inner = readIndent(content, at + 1, end);
      at = inner.at;
      column = Math.max(0, inner.column - 1);
    }
    const line = { start, at, column, end };
    if (this.unread || this.html || content[at] === '<') this.htmlLine(line);
    else this.markdownLine(line);
  }

  private markdownLine(line: ScannedLine): void {
    const { content } = this;
    const { start, at, end } = line;
    const mark = at < end ? content[at] : undefined;
    if (mark === undefined) {
      this.blank();
      return;
    }
    // A fence that is never closed says nothing itself.
    if ((mark === '`' || mark === '~') && this.isLostFence(line)) return;
    if ('=-*_~^"+'.includes(mark) && this.underline(at, end)) return;
    const heading = mark === '#' ? atxHeading(content, at, end) : null;
    const entry = listText(content, at, end);
    const text = content.slice(entry === -1 ? at : entry, end);
    if (heading) this.heading(start, heading.start, headingEnd(content, heading.start, end), heading.level);
    else if (mark === '|') this.add('table', start, at, end);
    else if (isNoiseLine(text)) this.blank();
    else if (entry !== -1) this.add('item', start, entry, end, 0, line.column);
    else this.textLine(line, text);
  }

  // An empty heading heads nothing, and so ends nothing.
  private heading(lineStart: number, start: number, end: number, level: number): void {
    if (end > start) this.add('heading', lineStart, start, end, level);
    else this.blank();
  }

  private textLine({ start, at, column, end }: ScannedLine, text: string): void {
    const { pending, open } = this;
    if (pending) this.add(pending.kind, start, at, end, pending.level, pending.indent);
    else if (DEFINITION.test(text) || ALERT.test(text)) this.blank();
    else if (BOLD_LINE.test(text) && !/[.!?][*_:]{0,5}$/.test(text.slice(-6))) {
      this.add('heading', start, at, end, PSEUDO_LEVEL);
    } else if (column < 2 && this.isLabel(text)) {
      this.add('heading', start, at, end, PSEUDO_LEVEL).label = true;
    } else if (open) {
      open.end = end;
      open.lines += 1;
    } else {
      if (this.afterBlank && column < 2) this.inList = false;
      const isCode = column >= 4 && this.afterBlank && !this.inList && this.hasMargin;
      this.add(isCode ? 'code' : this.inTable ? 'table' : 'text', start, at, end, 0, column);
    }
  }

  // A line that is, as a whole, a known heading name: "What's new:", "Bug Fixes".
  private isLabel(text: string): boolean {
    if (text.length > 40 || text.endsWith('.') || /^[a-z]/.test(text) || !classOfName(text)) return false;
    if (this.open?.kind !== 'text' || text.endsWith(':')) return true;
    return /[.!?:]/.test(this.content[this.open.end - 1] ?? '');
  }

  private isLostFence({ at, end }: ScannedLine): boolean {
    if (fenceMark(this.content.slice(at, Math.min(end, at + LONGEST_TITLE))) === null) return false;
    if (this.titleAbove(uniformRun(this.content, at, end))) return false;
    this.blank();
    return true;
  }

  // A single line of text that an underline of this length would make a title.
  private titleAbove(length: number): boolean {
    const { open } = this;
    return open?.kind === 'text' && open.lines === 1 && length > 3 && length >= open.end - open.start;
  }

  // Underline of the line above, or a rule between blocks.
  private underline(at: number, end: number): boolean {
    const { content, open } = this;
    const count = uniformRun(content, at, end);
    const mark = content[at] ?? '';
    if (count < 2) return false;
    const isTitle = open?.kind === 'text' && open.lines === 1 && open.end - open.start <= LONGEST_TITLE;
    if (isTitle && (mark === '=' || (mark === '-' && count > 2) || this.titleAbove(count))) {
      open.kind = 'heading';
      open.level = mark === '=' ? 1 : mark === '-' ? 2 : 3;
    } else if (count < 3 || !'-*_='.includes(mark)) {
      return false;
    }
    this.blank();
    return true;
  }

  private blank(): void {
    this.open = null;
    this.afterBlank = true;
  }

  private add(kind: BlockKind, lineStart: number, start: number, end: number, level = 0, indent = 0): NoteBlock {
    const block: NoteBlock = { kind, start, end, level, indent, lines: 1, lineStart, label: false };
    this.blocks.push(block);
    this.open = kind === 'item' || kind === 'text' ? block : null;
    this.afterBlank = false;
    this.pending = null;
    if (kind === 'heading') this.inList = false;
    if (kind === 'item') this.inList = true;
    if (kind !== 'code') this.hasMargin ||= indent < 4;
    return block;
  }

  // Cuts a line at its block-level tags; what stands between them is read as lines of their own.
  private htmlLine(line: ScannedLine): void {
    const tags = this.tags.within(line.at, line.end);
    if (tags.length === 0) {
      if (!this.unread) this.markdownLine(line);
      return;
    }
    let from = line.at;
    for (const tag of tags) {
      this.segment(from, tag.start);
      this.tag(tag);
      from = tag.end;
    }
    this.segment(from, line.end);
  }

  private segment(start: number, end: number): void {
    if (this.unread) return;
    const { at, column } = readIndent(this.content, start, end);
    const stop = trimEnd(this.content, at, end);
    if (stop > at) this.markdownLine({ start, at, column, end: stop });
  }

  private tag({ name, closing, start }: BlockTag): void {
    if (this.unread) {
      if (closing && name === this.unread) this.unread = null;
      return;
    }
    this.open = null;
    if (name === 'br') return;
    this.afterBlank = true;
    if (closing && name !== 'p') this.pending = null;
    if (name === 'ul' || name === 'ol') this.listDepth = Math.max(0, this.listDepth + (closing ? -1 : 1));
    else if (name === 'table') this.inTable = !closing;
    else if (!closing) this.openTag(name, start);
    else if (name === 'details') this.add('close', start, start, start, DETAILS_LEVEL);
  }

  private openTag(name: string, at: number): void {
    if (name === 'li') this.pending = { kind: 'item', level: 0, indent: Math.max(0, this.listDepth - 1) * 4 };
    else if (name === 'summary') this.pending = { kind: 'heading', level: DETAILS_LEVEL, indent: 0 };
    else if (/^h[1-6]$/.test(name)) this.pending = { kind: 'heading', level: Number(name[1]), indent: 0 };
    else if (name in UNREAD && this.isClosed(name as keyof typeof UNREAD, at)) {
      this.unread = name;
      if (name === 'pre') this.add('code', at, at, at);
    }
  }

  // An element that is never closed hides nothing, as in `hidden-blocks.ts`.
  private isClosed(name: keyof typeof UNREAD, at: number): boolean {
    const end = this.ends.get(name) ?? new Seeker(this.content, { pattern: UNREAD[name], length: 0 });
    this.ends.set(name, end);
    return end.from(at) !== -1;
  }
}
