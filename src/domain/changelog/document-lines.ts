import { fencedRanges } from './fences.ts';

export type ChangelogFormat = 'markdown' | 'rst' | 'text';

/** What a line may be: open text, inside a list item, or text that is shown verbatim or not at all. */
export const OPEN = 0;
export const IN_LIST = 1;
export const HIDDEN = 2;

export interface DocumentLines {
  /** Without line ends. */
  lines: readonly string[];
  /** Where each line begins in the text. */
  offsets: readonly number[];
  /** `OPEN`, `IN_LIST` or `HIDDEN` for each line. */
  states: Uint8Array;
}

const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const FRONT_MATTER_LINES = 100;
/** Blocks of HTML in which nothing is a heading. */
const BLOCKS = [
  { opens: /^ {0,3}<!--/, closes: /-->/ },
  { opens: /^ {0,3}<pre[\s>]/i, closes: /<\/pre>/i },
];

export function indentOf(line: string): number {
  let width = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === ' ') width++;
    else if (line[at] === '\t') width += 4 - (width % 4);
    else break;
  }
  return width;
}

/** Cuts a text into lines and marks code, comments and front matter, in which nothing is a heading. */
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
  // Code of a reStructuredText file is indented, and its titles never are.
  if (format !== 'rst') {
    hideFrontMatter(lines, states);
    hideFences(text, offsets, states);
    hideBlocks(lines, states);
    markLists(lines, states);
  }
  return { lines, offsets, states };
}

function hideFrontMatter(lines: readonly string[], states: Uint8Array): void {
  if (lines[0]?.trimEnd() !== '---' || !/^[\w-]+\s*:/.test(lines[1] ?? '')) return;
  const end = lines.slice(1, FRONT_MATTER_LINES).findIndex((line) => line.trimEnd() === '---');
  if (end >= 0) states.fill(HIDDEN, 0, end + 2);
}

function hideFences(text: string, offsets: readonly number[], states: Uint8Array): void {
  let line = 0;
  for (const { start, end } of fencedRanges(text)) {
    while (line < offsets.length && (offsets[line] ?? 0) < start) line++;
    while (line < offsets.length && (offsets[line] ?? 0) < end) states[line++] = HIDDEN;
  }
}

/** A block that is never closed is plain text, as an unclosed fence is. */
function hideBlocks(lines: readonly string[], states: Uint8Array): void {
  for (const { opens, closes } of BLOCKS) {
    const last = lines.findLastIndex((line) => closes.test(line));
    for (let at = 0; at <= last; at++) {
      if (states[at] === HIDDEN || !opens.test(lines[at] ?? '')) continue;
      while (at < last && !closes.test(lines[at] ?? '')) states[at++] = HIDDEN;
      states[at] = HIDDEN;
    }
  }
}

function markLists(lines: readonly string[], states: Uint8Array): void {
  let depth = 0;
  for (const [at, line] of lines.entries()) {
    if (states[at] === HIDDEN || line.trim() === '') continue;
    const indent = indentOf(line);
    const inside = depth > 0 && indent >= depth;
    const item = !inside && LIST_ITEM.test(line);
    if (!inside) depth = item ? indent + 2 : 0;
    if (inside || item) states[at] = IN_LIST;
  }
}
