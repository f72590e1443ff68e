// Headings: the rules for `## Title ##` and for underlines, and the headings of a whole document.
import { hiddenBlocks } from './hidden-blocks.ts';
import { isSpace, readIndent, runLength, trimEnd } from './line-syntax.ts';
import type { TextRange } from './offsets.ts';

// CommonMark wants a space or tab behind the number signs. Older renderers accepted `##Title` and many changelogs are
// written so: readers that look for structure are lenient, the renderer is strict.
type HeadingDialect = 'strict' | 'lenient';

const DEEPEST_LEVEL = 6;
const DEEPEST_INDENT = 3;
// A letter, a link or a version. `#12` refers to an issue.
const UNSPACED_TITLE = /^(?:[A-Za-z[]|\d+\.\d)/;

// The heading at a position: its level, and where its text begins and ends without the optional closing sequence, as in
// `## 1.2.3 ##`. The text may be empty.
export function atxHeading(
  text: string,
  at: number,
  end: number,
  dialect: HeadingDialect = 'lenient',
): { level: number; start: number; end: number } | null {
  const level = text[at] === '#' ? runLength(text, at, end) : 0;
  const next = at + level;
  if (level < 1 || level > DEEPEST_LEVEL) return null;
  if (next < end && !isGap(text.charCodeAt(next), dialect)) {
    const isTitle = dialect === 'lenient' && level > 1 && UNSPACED_TITLE.test(text.slice(next, next + 12));
    if (!isTitle) return null;
  }
  const { at: start } = readIndent(text, next, end);
  return { level, start, end: titleEnd(text, { start, end: trimEnd(text, start, end) }, dialect) };
}

function titleEnd(text: string, { start, end }: TextRange, dialect: HeadingDialect): number {
  let at = end;
  while (at > start && text[at - 1] === '#') at -= 1;
  if (at === start) return start;
  return at < end && isGap(text.charCodeAt(at - 1), dialect) ? trimEnd(text, start, at) : end;
}

// The level of the heading whose underline is at a position, 0 where there is none. Whether a title stands above it, its
// reader knows. A single character is seldom meant as an underline.
export function setextLevel(text: string, at: number, end: number, dialect: HeadingDialect = 'lenient'): 0 | 1 | 2 {
  const character = text[at];
  if (character !== '=' && character !== '-') return 0;
  const length = runLength(text, at, end);
  if ((dialect === 'lenient' && length < 2) || trimEnd(text, at, end) > at + length) return 0;
  return character === '=' ? 1 : 2;
}

// The level of the heading that a line by itself underlines.
export function underlineLevel(line: string): 0 | 1 | 2 {
  const { at, column } = readIndent(line, 0, line.length);
  return column <= DEEPEST_INDENT ? setextLevel(line, at, line.length) : 0;
}

function isGap(code: number, dialect: HeadingDialect): boolean {
  return dialect === 'lenient' ? isSpace(code) : code === 0x20 || code === 0x09;
}

// Whether a line by itself is a heading.
export function isHeadingLine(line: string): boolean {
  const { at, column } = readIndent(line, 0, line.length);
  return column <= DEEPEST_INDENT && atxHeading(line, at, line.length) !== null;
}

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
