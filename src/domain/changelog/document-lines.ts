// The lines of a changelog, and which of them are prose, list items, code or comments.

import { hiddenBlocks } from '../markdown/hidden-blocks.ts';
import { isHeadingLine, listMarkerEnd, readIndent } from '../markdown/line-syntax.ts';

export type ChangelogFormat = 'markdown' | 'rst' | 'text';

// The state of a line: prose, part of a list item, literal text such as code, or a comment. No line from `HIDDEN` on is a
// heading.
export const OPEN = 0;
export const IN_LIST = 1;
const HIDDEN = 2;
export const COMMENT = 3;

export interface DocumentLines {
  // Without line ends.
  lines: readonly string[];
  // Offset of each line in the text.
  offsets: readonly number[];
  // `OPEN`, `IN_LIST`, `HIDDEN` or `COMMENT` for each line.
  states: Uint8Array;
}

export function isHidden(states: Uint8Array, at: number): boolean {
  return (states[at] ?? OPEN) >= HIDDEN;
}

export function documentLines(text: string, format: ChangelogFormat): DocumentLines {
  const offsets: number[] = [];
  let offset = 0;
  const lines = text.split('\n').map((line) => {
    offsets.push(offset);
    offset += line.length + 1;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  });
  if (lines[0]?.startsWith('\ufeff')) lines[0] = lines[0].slice(1);
  const states = new Uint8Array(lines.length);
  // In reStructuredText code is indented and titles never are, so that no line has to be hidden.
  if (format !== 'rst') {
    hideBlocks(text, { lines, offsets, states });
    markLists(lines, states);
  }
  return { lines, offsets, states };
}

// A line is hidden when all of its text is inside a hidden block.
function hideBlocks(text: string, { lines, offsets, states }: DocumentLines): void {
  let at = 0;
  for (const { kind, start, end } of hiddenBlocks(text)) {
    while (at + 1 < lines.length && (offsets[at + 1] ?? 0) <= start) at++;
    for (; at < lines.length && (offsets[at] ?? 0) < end; at++) {
      const from = offsets[at] ?? 0;
      const lineEnd = from + (lines[at]?.length ?? 0);
      const shown = text.slice(from, Math.max(from, start)) + text.slice(Math.min(lineEnd, end), lineEnd);
      if (shown.trim() === '') states[at] = kind === 'comment' ? COMMENT : HIDDEN;
      // The next block may begin on the line on which this one ends.
      if (lineEnd >= end) break;
    }
  }
}

function markLists(lines: readonly string[], states: Uint8Array): void {
  let depth = 0;
  for (const [at, line] of lines.entries()) {
    if (isHidden(states, at) || line.trim() === '') continue;
    const { at: start, column } = readIndent(line, 0, line.length);
    const inside = depth > 0 && column >= depth;
    const item = !inside && listMarkerEnd(line, start) > start;
    if (!inside) depth = item ? column + 2 : 0;
    if (inside || item) states[at] = IN_LIST;
  }
}

const LINES_READ = 2000;
const DIRECTIVE = /^\.\. (?:_[^:]|[a-z-]+::)/;
// Underlines of reStructuredText that markdown does not have.
const ADORNMENT = /^(?:~{4,}|\^{3,}|"{3,}|\*{4,}|\+{3,}|#{7,})\s*$/;

// The format of a file with an unknown suffix. A single markdown heading outweighs any syntax of reStructuredText.
export function guessFormat(text: string): ChangelogFormat {
  const lines = text.split('\n', LINES_READ);
  if (lines.some((line) => isHeadingLine(line))) return 'markdown';
  const rst = lines.some((line, at) => {
    const title = (lines[at - 1] ?? '').trimEnd();
    return DIRECTIVE.test(line) || (title !== '' && ADORNMENT.test(line) && line.trimEnd().length >= title.length);
  });
  return rst ? 'rst' : 'markdown';
}
