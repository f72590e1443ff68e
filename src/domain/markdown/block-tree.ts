// The tree that markdown is parsed into: container blocks hold blocks, leaf blocks hold lines.
import { Footnotes, type References, takeReferences } from './definitions.ts';
import type { CodeFence } from './line-syntax.ts';

type MarkdownBlockType =
  | 'document'
  | 'quote'
  | 'list'
  | 'item'
  | 'paragraph'
  | 'heading'
  | 'code'
  | 'html'
  | 'thematic-break'
  | 'table'
  | 'footnote';

export interface ListMarker {
  ordered: boolean;
  // `-`, `+`, `*`, `.` or `)`. An item with another delimiter begins another list.
  delimiter: string;
  start: number;
  // Columns that the content of the item is indented by.
  indent: number;
}

interface Fence extends CodeFence {
  // Columns before the opening fence, which are removed from the lines of its code too.
  indent: number;
}

export interface Table {
  alignments: ('left' | 'right' | 'center' | null)[];
  rows: string[][];
}

export interface MarkdownBlock {
  type: MarkdownBlockType;
  children: MarkdownBlock[];
  lines: string[];
  firstLine: number;
  // The last line that is not blank.
  lastLine: number;
  level?: number;
  marker?: ListMarker;
  // Absent from indented code.
  fence?: Fence;
  // The end condition of an HTML block: a pattern in its last line, or null for a blank line.
  htmlEnd?: RegExp | null;
  table?: Table;
}

export function createBlock(type: MarkdownBlockType, line: number, fields: Partial<MarkdownBlock> = {}): MarkdownBlock {
  return { type, children: [], lines: [], firstLine: line, lastLine: line, ...fields };
}

// A list is tight when there is no blank line between its items or between the blocks of an item.
export function isTight(list: MarkdownBlock): boolean {
  return areAdjacent(list.children) && list.children.every((item) => areAdjacent(item.children));
}

function areAdjacent(blocks: readonly MarkdownBlock[]): boolean {
  return blocks.every((block, index) => index === 0 || block.firstLine === (blocks[index - 1]?.lastLine ?? 0) + 1);
}

// The open blocks while markdown is parsed: a stack from the document to the innermost block that may take more lines.
export class OpenBlocks {
  readonly document = createBlock('document', 0);
  readonly references: References = new Map();
  readonly footnotes = new Footnotes();
  readonly stack: MarkdownBlock[] = [this.document];
  // Number of the present line, from one.
  line = 0;

  get depth(): number {
    return this.stack.length;
  }

  get innermost(): MarkdownBlock {
    return this.stack[this.stack.length - 1] as MarkdownBlock;
  }

  // Ends the blocks below a depth and opens another one there.
  begin(depth: number, block: MarkdownBlock): void {
    this.close(depth);
    // A list holds nothing but items, so that any other block ends it.
    if (this.innermost.type === 'list' && block.type !== 'item') this.close(this.depth - 1);
    this.innermost.children.push(block);
    this.stack.push(block);
    this.extend(this.depth);
  }

  // Ends all blocks below a depth.
  close(depth: number): void {
    while (this.stack.length > depth) {
      const block = this.stack.pop() as MarkdownBlock;
      if (block.type === 'paragraph') this.#endParagraph(block);
      else if (block.type === 'code' && !block.fence) dropBlankEnd(block.lines);
    }
  }

  // The blocks down to a depth reach to the present line.
  extend(depth: number): void {
    for (let index = 0; index < depth; index += 1) (this.stack[index] as MarkdownBlock).lastLine = this.line;
  }

  // How many containers of content there are down to a depth.
  containersDownTo(depth: number): number {
    let count = 0;
    for (let index = 0; index < depth && index < this.stack.length; index += 1) {
      const type = this.stack[index]?.type;
      if (type === 'quote' || type === 'item' || type === 'footnote') count += 1;
    }
    return count;
  }

  // Link reference definitions are no text; a paragraph that held nothing else is removed from its parent.
  #endParagraph(block: MarkdownBlock): void {
    if (block.lines[0]?.startsWith('[')) block.lines = [takeReferences(block.lines.join('\n'), this.references)];
    if (block.lines.every((line) => line.trim() === '')) {
      const siblings = this.innermost.children;
      if (siblings.at(-1) === block) siblings.pop();
    }
  }
}

function dropBlankEnd(lines: string[]): void {
  while (lines.at(-1)?.trim() === '') lines.pop();
}
