// Leaf blocks: how a line begins a heading, code, HTML, a table or a thematic break, and how it continues one.
import { createBlock, type MarkdownBlock, type OpenBlocks } from './block-tree.ts';
import type { BlockStart } from './container-blocks.ts';
import { takeReferences } from './definitions.ts';
import { htmlBlockEnd } from './hidden-blocks.ts';
import type { LineCursor } from './line-cursor.ts';
import { atxHeading, codeFence, isThematicBreak, setextLevel } from './line-syntax.ts';
import { addRow, beginTable } from './tables.ts';

// Whether a line continues a leaf block; the indentation of indented code is skipped.
export function continuesLeaf(block: MarkdownBlock, cursor: LineCursor): boolean {
  switch (block.type) {
    case 'code':
      return block.fence !== undefined || continuesIndentedCode(cursor);
    case 'html':
      return block.htmlEnd !== null || !cursor.isBlank;
    case 'paragraph':
    case 'table':
      return !cursor.isBlank;
    default:
      return false;
  }
}

function continuesIndentedCode(cursor: LineCursor): boolean {
  if (cursor.indent >= 4) {
    cursor.skipColumns(4);
    return true;
  }
  if (!cursor.isBlank) return false;
  cursor.skipBlanks();
  return true;
}

// Begins the leaf block that the line is a start of. A leaf of one line is closed at once.
export function beginLeaf(open: OpenBlocks, cursor: LineCursor, start: BlockStart): boolean {
  const { content, depth, parent } = start;
  const heading = atxHeading(content, 0, content.length, 'strict');
  if (heading) {
    const lines = [content.slice(heading.start, heading.end)];
    open.begin(depth, createBlock('heading', open.line, { level: heading.level, lines }));
    open.close(open.depth - 1);
    return true;
  }
  const fence = codeFence(content, 0, content.length);
  if (fence?.canOpen) {
    open.begin(depth, createBlock('code', open.line, { fence: { ...fence, indent: cursor.indent } }));
    return true;
  }
  const htmlEnd = htmlBlockEnd(content, start.inParagraph);
  if (htmlEnd !== undefined) {
    open.begin(depth, createBlock('html', open.line, { htmlEnd, lines: [cursor.rest()] }));
    if (htmlEnd?.test(content)) open.close(open.depth - 1);
    return true;
  }
  if (parent.type === 'paragraph' && (endAsHeading(open, parent, content) || endAsTable(open, parent, content))) {
    return true;
  }
  if (!isThematicBreak(content, 0, content.length)) return false;
  open.begin(depth, createBlock('thematic-break', open.line));
  open.close(open.depth - 1);
  return true;
}

// A setext underline makes a heading of the paragraph above it.
function endAsHeading(open: OpenBlocks, paragraph: MarkdownBlock, content: string): boolean {
  const level = setextLevel(content, 0, content.length, 'strict');
  if (level === 0) return false;
  const text = takeReferences(paragraph.lines.join('\n'), open.references);
  if (text.trim() === '') {
    // The paragraph held nothing but link reference definitions, so that the line underlines nothing and is text.
    paragraph.lines = [];
    return false;
  }
  paragraph.type = 'heading';
  paragraph.level = level;
  paragraph.lines = [text];
  open.extend(open.depth);
  open.close(open.depth - 1);
  return true;
}

// A delimiter row makes the last line of the paragraph above it the header row of a table.
function endAsTable(open: OpenBlocks, paragraph: MarkdownBlock, content: string): boolean {
  const header = paragraph.lines.at(-1);
  const table = header === undefined ? null : beginTable(header, content);
  if (table === null) return false;
  paragraph.lines.pop();
  const block = createBlock('table', open.line - 1, { table });
  const depth = open.depth - 1;
  paragraph.lastLine = open.line - 2;
  open.close(depth);
  open.begin(depth, block);
  return true;
}

// Adds a line to the innermost open block, or begins a paragraph with it.
export function addToLeaf(open: OpenBlocks, cursor: LineCursor): void {
  const leaf = open.innermost;
  if (leaf.type === 'code' || leaf.type === 'html') {
    if (leaf.fence) cursor.skipColumns(Math.min(cursor.indent, leaf.fence.indent));
    leaf.lines.push(cursor.rest());
    // Blank lines at the end of indented code are dropped, so that they do not extend it.
    if (!cursor.isBlank || leaf.fence || leaf.type === 'html') open.extend(open.depth);
    if (leaf.type === 'html' && leaf.htmlEnd?.test(cursor.content())) open.close(open.depth - 1);
    return;
  }
  if (cursor.isBlank) {
    // A blank line with the marker of a block quote is part of the quote.
    open.extend(open.stack.findLastIndex(({ type }) => type === 'quote') + 1);
    return;
  }
  if (leaf.type === 'table') addRow(leaf.table as NonNullable<MarkdownBlock['table']>, cursor.content());
  else if (leaf.type === 'paragraph') leaf.lines.push(cursor.content());
  else open.begin(open.depth, createBlock('paragraph', open.line, { lines: [cursor.content()] }));
  open.extend(open.depth);
}
