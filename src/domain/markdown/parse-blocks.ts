// Markdown → a tree of blocks, line by line in the three steps of CommonMark: continue open blocks, begin new ones, add
// the rest of the line as text. A line costs its length and the number of containers around it, which is bounded.
import { createBlock, type MarkdownBlock, OpenBlocks } from './block-tree.ts';
import { beginItem, beginQuoteOrFootnote, continuesContainer } from './container-blocks.ts';
import type { Definitions } from './definitions.ts';
import { addToLeaf, beginLeaf, continuesLeaf } from './leaf-blocks.ts';
import { LineCursor } from './line-cursor.ts';
import { closesFence } from './line-syntax.ts';

interface ParsedBlocks {
  document: MarkdownBlock;
  definitions: Definitions;
}

export function parseBlocks(markdown: string): ParsedBlocks {
  const open = new OpenBlocks();
  for (const line of markdown.split(/\r\n|\r|\n/)) addLine(open, line);
  open.close(0);
  const { document, references, footnotes } = open;
  return { document, definitions: { references, footnotes } };
}

function addLine(open: OpenBlocks, text: string): void {
  open.line += 1;
  const cursor = new LineCursor(text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);
  const continued = continueBlocks(open, cursor);
  if (continued === null) return;
  const depth = beginBlocks(open, cursor, continued);
  if (depth !== null) addText(open, cursor, depth);
}

// How many of the open blocks go on in this line; null when the line was a closing fence, which is used up.
function continueBlocks(open: OpenBlocks, cursor: LineCursor): number | null {
  const { stack } = open;
  let depth = 1;
  for (; depth < stack.length; depth += 1) {
    const block = stack[depth] as MarkdownBlock;
    const { type } = block;
    if (type === 'list') continue;
    if (type === 'quote' || type === 'item' || type === 'footnote') {
      if (!continuesContainer(block, cursor)) break;
      continue;
    }
    if (type === 'code' && block.fence && cursor.indent < 4 && closesFence(cursor.content(), block.fence)) {
      open.extend(depth + 1);
      open.close(depth);
      return null;
    }
    if (!continuesLeaf(block, cursor)) break;
  }
  // A list goes on only together with one of its items; a blank line leaves that open.
  while (!cursor.isBlank && depth > 1 && stack[depth - 1]?.type === 'list') depth -= 1;
  return depth;
}

// The depth of the block that the rest of the line belongs to; null when a leaf block has used the line up.
function beginBlocks(open: OpenBlocks, cursor: LineCursor, continued: number): number | null {
  let depth = continued;
  const holder = open.stack[depth - 1]?.type;
  if (holder === 'code' || holder === 'html') return depth;
  while (!cursor.isBlank) {
    const parent = open.stack[depth - 1] as MarkdownBlock;
    const isLeaf = parent.type === 'paragraph' || parent.type === 'table';
    const inParagraph = depth === continued && open.innermost.type === 'paragraph';
    // A new block replaces a leaf and goes into a container.
    const start = { content: '', depth: isLeaf ? depth - 1 : depth, parent, inParagraph };
    if (cursor.indent >= 4) {
      if (inParagraph || isLeaf) return depth;
      cursor.skipColumns(4);
      open.begin(start.depth, createBlock('code', open.line));
      return open.depth;
    }
    start.content = cursor.content();
    if (!beginQuoteOrFootnote(open, cursor, start)) {
      if (beginLeaf(open, cursor, start)) return null;
      if (!beginItem(open, cursor, start)) return depth;
    }
    depth = open.depth;
  }
  return depth;
}

function addText(open: OpenBlocks, cursor: LineCursor, depth: number): void {
  const { innermost } = open;
  // A lazy continuation line: text that begins nothing continues a paragraph even without the markers of its containers.
  if (!cursor.isBlank && depth < open.depth && innermost.type === 'paragraph') {
    innermost.lines.push(cursor.content());
    open.extend(open.depth);
    return;
  }
  open.close(depth);
  addToLeaf(open, cursor);
}
