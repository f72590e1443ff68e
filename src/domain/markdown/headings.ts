// The headings of a document that stand outside of code, comments and front matter.
import type { TextRange } from './fences.ts';
import { hiddenBlocks } from './hidden-blocks.ts';
import { atxHeading, headingEnd, readIndent, trimEnd } from './line-marks.ts';

// `offset` is the start of the heading's line; `spaced` is false for the old spelling `##Title`.
type DocumentHeading = { offset: number; level: number; text: string; spaced: boolean };

const DEEPEST_INDENT = 3;

// Headings in order. `hidden` are the parts that are not read, in order.
export function* headingsOf(
  text: string,
  hidden: readonly TextRange[] = hiddenBlocks(text),
): Generator<DocumentHeading> {
  let next = 0;
  for (let start = 0; start < text.length; ) {
    const block = hidden[next];
    if (block && block.start <= start) {
      if (block.end > start) start = block.end;
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

function headingOfLine(text: string, start: number, lineEnd: number): DocumentHeading | null {
  const { at, column } = readIndent(text, start, lineEnd);
  if (column > DEEPEST_INDENT || text[at] !== '#') return null;
  const end = trimEnd(text, at, lineEnd);
  const heading = atxHeading(text, at, end);
  if (!heading) return null;
  return {
    offset: start,
    level: heading.level,
    text: text.slice(heading.start, headingEnd(text, heading.start, end)),
    spaced: at + heading.level === end || heading.start > at + heading.level,
  };
}
