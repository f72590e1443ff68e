// Container blocks: how a line begins or continues a block quote, a list item or a footnote definition.
import { createBlock, type ListMarker, type MarkdownBlock, type OpenBlocks } from './block-tree.ts';
import { FOOTNOTE } from './definitions.ts';
import type { LineCursor } from './line-cursor.ts';
import { listMarkerEnd } from './line-syntax.ts';

// Markers of deeper containers are text, so that the cost of a line is bounded.
const MAX_CONTAINERS = 32;

// Where a block would begin: the rest of the line, and the depth in the stack of open blocks.
export interface BlockStart {
  content: string;
  depth: number;
  // The block that holds the line so far.
  parent: MarkdownBlock;
  // The line could also continue a paragraph.
  inParagraph: boolean;
}

// Whether a line continues a container; its marker or indentation is skipped when it does.
export function continuesContainer(block: MarkdownBlock, cursor: LineCursor): boolean {
  if (block.type === 'quote') {
    if (cursor.indent > 3 || cursor.text[cursor.next] !== '>') return false;
    skipQuoteMarker(cursor);
    return true;
  }
  return block.type === 'item' ? continuesItem(block, cursor) : continuesFootnote(cursor);
}

function continuesItem({ marker, children }: MarkdownBlock, cursor: LineCursor): boolean {
  const indent = marker?.indent ?? 0;
  if (cursor.isBlank) {
    // An item may begin with one blank line; a second one ends it.
    if (children.length === 0) return false;
    cursor.skipColumns(Math.min(cursor.indent, indent));
    return true;
  }
  if (cursor.indent < indent) return false;
  cursor.skipColumns(indent);
  return true;
}

function continuesFootnote(cursor: LineCursor): boolean {
  if (cursor.isBlank) return true;
  if (cursor.indent < 4) return false;
  cursor.skipColumns(4);
  return true;
}

// Begins a block quote or a footnote definition when the line has the marker of one.
export function beginQuoteOrFootnote(open: OpenBlocks, cursor: LineCursor, { content, depth }: BlockStart): boolean {
  if (content[0] === '>' && open.containersDownTo(depth) < MAX_CONTAINERS) {
    skipQuoteMarker(cursor);
    open.begin(depth, createBlock('quote', open.line));
    return true;
  }
  const note = FOOTNOTE.exec(content);
  if (!note || open.containersDownTo(depth) >= MAX_CONTAINERS) return false;
  cursor.skipBlanks();
  cursor.skip(note[0].length);
  const block = createBlock('footnote', open.line);
  open.begin(depth, block);
  open.footnotes.define(note[1] ?? '', block);
  return true;
}

function skipQuoteMarker(cursor: LineCursor): void {
  cursor.skipBlanks();
  cursor.skip(1);
  if (cursor.indent > 0) cursor.skipColumns(1);
}

// Begins a list item, and its list unless it goes on with an open one.
export function beginItem(open: OpenBlocks, cursor: LineCursor, { content, depth, parent }: BlockStart): boolean {
  if (open.containersDownTo(depth) >= MAX_CONTAINERS) return false;
  const found = readListMarker(content);
  if (found === null) return false;
  const { width, marker } = found;
  const isEmpty = content.slice(width).trim() === '';
  // A line of prose may begin with a number or a dash, so that an item that interrupts a paragraph has to have content,
  // and to be the first when it is numbered.
  if (parent.type === 'paragraph' && (isEmpty || (marker.ordered && marker.start !== 1))) return false;
  const indentBefore = cursor.indent;
  cursor.skipBlanks();
  cursor.skip(width);
  const gap = cursor.indent;
  // Behind a wider gap the item begins with indented code.
  const isNarrow = !isEmpty && gap < 5;
  if (isNarrow) cursor.skipColumns(gap);
  else if (gap > 0) cursor.skipColumns(1);
  const itemMarker = { ...marker, indent: indentBefore + width + (isNarrow ? gap : 1) };
  const list = open.stack[depth];
  if (list?.type !== 'list' || !isSameList(list.marker, marker)) {
    open.begin(depth, createBlock('list', open.line, { marker: itemMarker }));
  }
  open.begin(depth + 1, createBlock('item', open.line, { marker: itemMarker }));
  return true;
}

function isSameList(one: ListMarker | undefined, other: Omit<ListMarker, 'indent'>): boolean {
  return one !== undefined && one.ordered === other.ordered && one.delimiter === other.delimiter;
}

// The list marker at the beginning of a line; `width` does not count the white space behind it.
function readListMarker(content: string): { width: number; marker: Omit<ListMarker, 'indent'> } | null {
  const width = listMarkerEnd(content, 0);
  if (width === 0) return null;
  const ordered = width > 1;
  const delimiter = content[width - 1] as string;
  return { width, marker: { ordered, delimiter, start: ordered ? Number(content.slice(0, width - 1)) : 1 } };
}
