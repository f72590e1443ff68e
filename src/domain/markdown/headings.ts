// The headings of a whole document.
import { hiddenBlocks } from './hidden-blocks.ts';
import { atxHeading, DEEPEST_INDENT, readIndent, trimEnd } from './line-syntax.ts';

// `offset` is the start of the heading's line; `spaced` is false for `##Title`.
type DocumentHeading = { offset: number; level: number; text: string; spaced: boolean };

// The headings of a document in order.
export function* headingsOf(text: string): Generator<DocumentHeading> {
  const hidden = hiddenBlocks(text);
  let next = 0;
  for (let start = 0; start < text.length; ) {
    const block = hidden[next];
    if (block && block.start <= start) {
      if (block.end > start) start = nextLine(text, block.end);
      next += 1;
      continue;
    }
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const heading = headingOfLine(text, start, end);
    if (heading) yield heading;
    start = end + 1;
  }
}

// The line that begins at an offset, or else behind it.
function nextLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at - 1);
  return newline < 0 ? text.length : newline + 1;
}

function headingOfLine(text: string, start: number, lineEnd: number): DocumentHeading | null {
  const { at, column } = readIndent(text, start, lineEnd);
  if (column > DEEPEST_INDENT || text[at] !== '#') return null;
  const heading = atxHeading(text, at, trimEnd(text, at, lineEnd));
  if (!heading) return null;
  const { level, end } = heading;
  const isSpaced = heading.start > at + level || heading.start === end;
  return { offset: start, level, text: text.slice(heading.start, end), spaced: isSpaced };
}
