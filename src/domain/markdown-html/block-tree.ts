// The tree that markdown is parsed into: container blocks hold blocks, leaf blocks hold lines.

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

interface Fence {
  character: string;
  length: number;
  // Columns before the opening fence, which are removed from the lines of its code too.
  indent: number;
  // The info string: the language and more.
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
