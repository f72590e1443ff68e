// What a markdown text is made of. Containers hold blocks, leaves hold lines.

type MarkdownBlockType =
  | 'document'
  | 'quote'
  | 'list'
  | 'item'
  | 'paragraph'
  | 'heading'
  | 'code'
  | 'html'
  | 'rule'
  | 'table'
  | 'footnote';

export interface ListMarker {
  ordered: boolean;
  // `-`, `+`, `*`, `.` or `)`: another one begins another list.
  delimiter: string;
  start: number;
  // Columns that the content of the item is indented by.
  indent: number;
}

interface Fence {
  character: string;
  length: number;
  // Columns before the opening fence, which its lines may have too.
  indent: number;
  // What stands behind the marks: the language and more.
  info: string;
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
  // Of code; without one the code is indented.
  fence?: Fence;
  // What ends a block of HTML: a form in its last line, or a blank line.
  htmlEnd?: RegExp | null;
  table?: Table;
}

export function createBlock(type: MarkdownBlockType, line: number, facts: Partial<MarkdownBlock> = {}): MarkdownBlock {
  return { type, children: [], lines: [], firstLine: line, lastLine: line, ...facts };
}

// A list is tight when no blank line stands between its items or between the blocks of an item.
export function isTight(list: MarkdownBlock): boolean {
  return adjacent(list.children) && list.children.every((item) => adjacent(item.children));
}

function adjacent(blocks: readonly MarkdownBlock[]): boolean {
  return blocks.every((block, index) => index === 0 || block.firstLine === (blocks[index - 1]?.lastLine ?? 0) + 1);
}
