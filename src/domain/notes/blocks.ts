// Splits a release body into headings, list items, paragraphs, table rows and code: one pass, markdown and HTML alike.
import { type HiddenBlock, hiddenBlocks } from '../markdown/hidden-blocks.ts';
import { readIndent, trimEnd } from '../markdown/line-syntax.ts';
import { type Needle, Seeker } from '../markdown/seek.ts';
import { BlockList, type NoteBlock } from './block-list.ts';
import { HtmlLines, isHtmlBody } from './html-lines.ts';
import { addMarkdownLine } from './markdown-lines.ts';

const NEWLINE = { pattern: /\n/g, length: 1 } satisfies Needle;

export function scanBlocks(content: string): NoteBlock[] {
  const list = new BlockList(content);
  const html = new HtmlLines(list);
  const isHtml = isHtmlBody(content);
  const addLine = (start: number, end: number): void => {
    const { at, column } = skipQuoteMarkers(content, start, end);
    const line = { start, at, column, end };
    if (html.inLiteral || isHtml || content[at] === '<') html.add(line);
    else addMarkdownLine(list, line);
  };

  const newlines = new Seeker(content, NEWLINE);
  const hidden = hiddenBlocks(content).values();
  let block = hidden.next().value;
  for (let start = 0; start < content.length; ) {
    const newline = newlines.from(start);
    const end = newline === -1 ? content.length : newline;
    if (block && block.start < Math.max(end, start + 1)) {
      const hasText = readIndent(content, start, block.start).at < block.start;
      if (hasText) addLine(start, trimEnd(content, start, block.start));
      if (!html.inLiteral) addHiddenBlock(list, block);
      start = block.end;
      block = hidden.next().value;
      continue;
    }
    addLine(start, trimEnd(content, start, end));
    start = end + 1;
  }
  return list.finish();
}

// Position and column of the text of a line behind its block quote markers.
function skipQuoteMarkers(content: string, start: number, end: number): { at: number; column: number } {
  let indent = readIndent(content, start, end);
  while (content[indent.at] === '>' && indent.at < end) {
    indent = readIndent(content, indent.at + 1, end);
    // The space behind a marker belongs to it.
    indent.column = Math.max(0, indent.column - 1);
  }
  return indent;
}

// Code is a block, because it may be all that a section holds; comments and front matter are nothing.
function addHiddenBlock(list: BlockList, { kind, start, end }: HiddenBlock): void {
  const code = { kind: 'code', lineStart: start, start, end: start, level: 0, indent: 0 } as const;
  if (kind === 'fence') list.add({ ...code, end: trimEnd(list.content, start, end) });
  if (kind !== 'literal') return;
  const isCode = /^<pre/i.test(list.content.slice(start, start + 4));
  if (isCode) list.add(code);
  list.pending = null;
  list.blank();
}
