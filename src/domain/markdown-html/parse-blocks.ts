// Lines → blocks, in one pass. A line costs its length and the number of containers around it, which is bounded.
import { createBlock, type ListMarker, type MarkdownBlock } from './block-tree.ts';
import { FOOTNOTE, Footnotes } from './footnotes.ts';
import {
  atxHeading,
  closesFence,
  htmlBlockEnd,
  isRule,
  openingFence,
  readListMarker,
  setextLevel,
} from './leaf-forms.ts';
import { LineCursor } from './line-cursor.ts';
import { type Definitions, type References, takeReferences } from './references.ts';
import { addRow, beginTable } from './tables.ts';

// Deeper marks of quotes and lists are shown as text.
const MAX_CONTAINERS = 32;

interface Blocks {
  document: MarkdownBlock;
  definitions: Definitions;
}

export function parseBlocks(markdown: string): Blocks {
  const parser = new BlockParser();
  for (const line of markdown.split(/\r\n|\r|\n/)) parser.addLine(line);
  parser.close(0);
  const { document, references, footnotes } = parser;
  return { document, definitions: { references, footnotes } };
}

class BlockParser {
  readonly document = createBlock('document', 0);
  readonly references: References = new Map();
  readonly footnotes = new Footnotes();
  // The open blocks from the outside in.
  readonly #open: MarkdownBlock[] = [this.document];
  #line = 0;

  addLine(text: string): void {
    this.#line += 1;
    const cursor = new LineCursor(text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);
    const matched = this.#matchOpen(cursor);
    if (matched === null) return;
    const started = this.#startBlocks(cursor, matched);
    if (started === 'done') return;
    this.#addText(cursor, started);
  }

  // Ends open blocks down to this depth.
  close(depth: number): void {
    while (this.#open.length > depth) {
      const block = this.#open.pop() as MarkdownBlock;
      if (block.type === 'paragraph') this.#endParagraph(block);
      else if (block.type === 'code' && !block.fence) dropBlankEnd(block.lines);
    }
  }

  get #tip(): MarkdownBlock {
    return this.#open.at(-1) as MarkdownBlock;
  }

  // How many of the open blocks go on in this line; null when the line was all theirs.
  #matchOpen(cursor: LineCursor): number | null {
    let depth = 1;
    for (; depth < this.#open.length; depth += 1) {
      const block = this.#open[depth] as MarkdownBlock;
      if (block.type === 'list') continue;
      if (block.type === 'code' && block.fence && cursor.indent < 4 && closesFence(cursor.content(), block.fence)) {
        this.#mark(depth + 1);
        this.close(depth);
        return null;
      }
      if (!continues(block, cursor)) break;
    }
    // A list goes on only with one of its items; a blank line does not decide.
    while (!cursor.isBlank && depth > 1 && this.#open[depth - 1]?.type === 'list') depth -= 1;
    return depth;
  }

  // Returns how many open blocks the rest of the line belongs to.
  #startBlocks(cursor: LineCursor, matchedDepth: number): number | 'done' {
    let depth = matchedDepth;
    const holder = this.#open[depth - 1];
    if (holder?.type === 'code' || holder?.type === 'html') return depth;
    for (;;) {
      const parent = this.#open[depth - 1] as MarkdownBlock;
      const inParagraph = depth === matchedDepth && this.#tip.type === 'paragraph';
      const leaf = parent.type === 'paragraph' || parent.type === 'table';
      const base = leaf ? depth - 1 : depth;
      if (cursor.isBlank) return depth;
      if (cursor.indent >= 4) {
        if (inParagraph || leaf) return depth;
        cursor.skipColumns(4);
        this.#begin(base, createBlock('code', this.#line));
        return this.#open.length;
      }
      const content = cursor.content();
      if (content[0] === '>' && containersIn(this.#open, base) < MAX_CONTAINERS) {
        cursor.skipBlanks();
        cursor.skip(1);
        if (cursor.indent > 0) cursor.skipColumns(1);
        this.#begin(base, createBlock('quote', this.#line));
        depth = this.#open.length;
        continue;
      }
      const note = FOOTNOTE.exec(content);
      if (note && containersIn(this.#open, base) < MAX_CONTAINERS) {
        cursor.skipBlanks();
        cursor.skip(note[0].length);
        const block = createBlock('footnote', this.#line);
        this.#begin(base, block);
        this.footnotes.define(note[1] ?? '', block);
        depth = this.#open.length;
        continue;
      }
      if (this.#startLeaf(cursor, { content, base, inParagraph, parent })) return 'done';
      const isListItem = this.#startItem(cursor, { content, base, inParagraph: parent.type === 'paragraph' });
      if (!isListItem) return depth;
      depth = this.#open.length;
    }
  }

  #startLeaf(
    cursor: LineCursor,
    {
      content,
      base,
      inParagraph,
      parent,
    }: { content: string; base: number; inParagraph: boolean; parent: MarkdownBlock },
  ): boolean {
    const heading = atxHeading(content);
    if (heading) {
      this.#begin(base, createBlock('heading', this.#line, { level: heading.level, lines: [heading.text] }));
      this.close(this.#open.length - 1);
      return true;
    }
    const fence = openingFence(content);
    if (fence) {
      this.#begin(base, createBlock('code', this.#line, { fence: { ...fence, indent: cursor.indent } }));
      return true;
    }
    const htmlEnd = htmlBlockEnd(content, inParagraph);
    if (htmlEnd !== undefined) {
      this.#begin(base, createBlock('html', this.#line, { htmlEnd, lines: [cursor.rest()] }));
      if (htmlEnd?.test(content)) this.close(this.#open.length - 1);
      return true;
    }
    if (parent.type === 'paragraph' && (this.#endsAsHeading(parent, content) || this.#endsAsTable(parent, content))) {
      return true;
    }
    if (isRule(content)) {
      this.#begin(base, createBlock('rule', this.#line));
      this.close(this.#open.length - 1);
      return true;
    }
    return false;
  }

  // The paragraph so far is the text of a heading.
  #endsAsHeading(paragraph: MarkdownBlock, content: string): boolean {
    const level = setextLevel(content);
    if (level === null) return false;
    const text = takeReferences(paragraph.lines.join('\n'), this.references);
    if (text.trim() === '') {
      // Nothing but definitions: the line is text of its own.
      paragraph.lines = [];
      return false;
    }
    paragraph.type = 'heading';
    paragraph.level = level;
    paragraph.lines = [text];
    this.#mark(this.#open.length);
    this.close(this.#open.length - 1);
    return true;
  }

  // The last line of the paragraph is the head of a table.
  #endsAsTable(paragraph: MarkdownBlock, content: string): boolean {
    const head = paragraph.lines.at(-1);
    const table = head === undefined ? null : beginTable(head, content);
    if (table === null) return false;
    paragraph.lines.pop();
    const block = createBlock('table', this.#line - 1, { table });
    const depth = this.#open.length - 1;
    paragraph.lastLine = this.#line - 2;
    this.close(depth);
    this.#begin(depth, block);
    return true;
  }

  #startItem(
    cursor: LineCursor,
    { content, base, inParagraph }: { content: string; base: number; inParagraph: boolean },
  ): boolean {
    if (containersIn(this.#open, base) >= MAX_CONTAINERS) return false;
    const found = readListMarker(content);
    if (found === null) return false;
    const { width, marker } = found;
    const isEmpty = content.slice(width).trim() === '';
    // Prose may begin a line with a number or a dash.
    if (inParagraph && (isEmpty || (marker.ordered && marker.start !== 1))) return false;
    const before = cursor.indent;
    cursor.skipBlanks();
    cursor.skip(width);
    const gap = cursor.indent;
    const isCode = gap >= 5;
    if (isEmpty || isCode) {
      if (gap > 0) cursor.skipColumns(1);
    } else cursor.skipColumns(gap);
    const indent = before + width + (isEmpty || isCode ? 1 : gap);
    this.#beginItem(base, { ...marker, indent });
    return true;
  }

  #beginItem(base: number, marker: ListMarker): void {
    const list = this.#open[base];
    const same = list?.type === 'list' && sameList(list.marker, marker);
    if (!same) this.#begin(base, createBlock('list', this.#line, { marker }));
    this.#begin(base + 1, createBlock('item', this.#line, { marker }));
  }

  #addText(cursor: LineCursor, depth: number): void {
    const tip = this.#tip;
    // A line that can only continue a paragraph does so, whatever marks it lacks.
    if (!cursor.isBlank && depth < this.#open.length && tip.type === 'paragraph') {
      tip.lines.push(cursor.content());
      this.#mark(this.#open.length);
      return;
    }
    this.close(depth);
    this.#addToTip(cursor);
  }

  #addToTip(cursor: LineCursor): void {
    const tip = this.#tip;
    if (tip.type === 'code' || tip.type === 'html') {
      if (tip.type === 'code' && tip.fence) cursor.skipColumns(Math.min(cursor.indent, tip.fence.indent));
      tip.lines.push(cursor.rest());
      if (!cursor.isBlank || tip.fence || tip.type === 'html') this.#mark(this.#open.length);
      if (tip.type === 'html' && tip.htmlEnd?.test(cursor.content())) this.close(this.#open.length - 1);
      return;
    }
    if (cursor.isBlank) {
      // The mark of a quote makes its blank line part of it.
      this.#mark(this.#open.findLastIndex(({ type }) => type === 'quote') + 1);
      return;
    }
    if (tip.type === 'table') addRow(tip.table as NonNullable<MarkdownBlock['table']>, cursor.content());
    else if (tip.type === 'paragraph') tip.lines.push(cursor.content());
    else this.#begin(this.#open.length, createBlock('paragraph', this.#line, { lines: [cursor.content()] }));
    this.#mark(this.#open.length);
  }

  #begin(depth: number, block: MarkdownBlock): void {
    this.close(depth);
    // Only an item of a list stands in it.
    if (this.#tip.type === 'list' && block.type !== 'item') this.close(this.#open.length - 1);
    this.#tip.children.push(block);
    this.#open.push(block);
    this.#mark(this.#open.length);
  }

  // The open blocks down to this depth reach to the present line.
  #mark(depth: number): void {
    for (let index = 0; index < depth; index += 1) (this.#open[index] as MarkdownBlock).lastLine = this.#line;
  }

  #endParagraph(block: MarkdownBlock): void {
    if (block.lines[0]?.startsWith('[')) block.lines = [takeReferences(block.lines.join('\n'), this.references)];
    if (block.lines.every((line) => line.trim() === '')) {
      const siblings = (this.#tip as MarkdownBlock).children;
      // An emptied paragraph was the last of its siblings.
      if (siblings.at(-1) === block) siblings.pop();
    }
  }
}

function continues(block: MarkdownBlock, cursor: LineCursor): boolean {
  switch (block.type) {
    case 'quote': {
      if (cursor.indent > 3 || cursor.text[cursor.next] !== '>') return false;
      cursor.skipBlanks();
      cursor.skip(1);
      if (cursor.indent > 0) cursor.skipColumns(1);
      return true;
    }
    case 'item': {
      const indent = block.marker?.indent ?? 0;
      if (cursor.isBlank) {
        // An item that begins with a blank line holds nothing behind a second one.
        if (block.children.length === 0) return false;
        cursor.skipColumns(Math.min(cursor.indent, indent));
        return true;
      }
      if (cursor.indent < indent) return false;
      cursor.skipColumns(indent);
      return true;
    }
    case 'footnote': {
      if (cursor.isBlank) return true;
      if (cursor.indent < 4) return false;
      cursor.skipColumns(4);
      return true;
    }
    case 'code': {
      if (block.fence) return true;
      if (cursor.indent < 4) {
        if (!cursor.isBlank) return false;
        cursor.skipBlanks();
        return true;
      }
      cursor.skipColumns(4);
      return true;
    }
    case 'html':
      return block.htmlEnd !== null || !cursor.isBlank;
    case 'paragraph':
    case 'table':
      return !cursor.isBlank;
    default:
      return false;
  }
}

function containersIn(open: readonly MarkdownBlock[], depth: number): number {
  let count = 0;
  for (let index = 0; index < depth && index < open.length; index += 1) {
    const type = open[index]?.type;
    if (type === 'quote' || type === 'item' || type === 'footnote') count += 1;
  }
  return count;
}

function sameList(one: ListMarker | undefined, other: ListMarker): boolean {
  return one !== undefined && one.ordered === other.ordered && one.delimiter === other.delimiter;
}

function dropBlankEnd(lines: string[]): void {
  while (lines.at(-1)?.trim() === '') lines.pop();
}
