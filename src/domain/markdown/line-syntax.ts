// The syntax of single lines, for all readers of markdown: indentation, headings, list markers, code fences, underlines and
// breaks. Functions read `text` between two positions and allocate little, because they see every line. HTML is in
// `hidden-blocks.ts`.
import type { TextRange } from './offsets.ts';

const TAB = 0x09;
const SPACE = 0x20;
const BACKTICK = 0x60;
const TILDE = 0x7e;
const NO_BREAK_SPACE = 0xa0;

// Position and column of the first character behind the indentation. Tab stops are four columns apart.
export function readIndent(text: string, start: number, end: number): { at: number; column: number } {
  let column = 0;
  let at = start;
  for (; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === NO_BREAK_SPACE) column += 1;
    else if (code === TAB) column += 4 - (column % 4);
    else break;
  }
  return { at, column };
}

export function indentOf(line: string): number {
  return readIndent(line, 0, line.length).column;
}

// The end of a range without the white space at its end.
export function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1] ?? '')) at -= 1;
  return at;
}

// Space, tab or no-break space, which authors paste where they mean a space.
function isSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === NO_BREAK_SPACE;
}

// Length of the run of equal characters at a position.
function runLength(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  let next = at;
  while (next < end && text.charCodeAt(next) === code) next += 1;
  return next - at;
}

const MIN_ADORNMENT = 4;

// Whether a run underlines a title as in reStructuredText: at least as far as the title reaches.
export function adorns(runLength: number, titleLength: number): boolean {
  return titleLength > 0 && runLength >= MIN_ADORNMENT && runLength >= titleLength;
}

// How many characters a line has when all are the same, white space aside, as in a thematic break or the underline of a
// setext heading; 0 for any other line.
export function uniformRun(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  let count = 0;
  for (let next = at; next < end; next += 1) {
    const here = text.charCodeAt(next);
    if (here === code) count += 1;
    else if (here !== SPACE && here !== TAB) return 0;
  }
  return count;
}

export function isThematicBreak(text: string, at: number, end: number): boolean {
  const character = text.charAt(at);
  return (character === '*' || character === '-' || character === '_') && uniformRun(text, at, end) >= 3;
}

// Headings: `## Title ##`, and underlines.

// CommonMark wants a space or tab behind the number signs. Older renderers accepted `##Title` and many changelogs are
// written so: readers that look for structure are lenient, the renderer is strict.
type HeadingDialect = 'strict' | 'lenient';

const DEEPEST_LEVEL = 6;
export const DEEPEST_INDENT = 3;
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

// List items.

// End of a list marker of CommonMark, which white space or the end of the line follows; `at` itself when there is no marker.
export function listMarkerEnd(text: string, at: number): number {
  const first = text.charAt(at);
  let next = at;
  if (first === '-' || first === '+' || first === '*') next += 1;
  else {
    while (next - at < 9 && isDigit(text.charCodeAt(next))) next += 1;
    const last = text.charAt(next);
    if (next === at || (last !== '.' && last !== ')')) return at;
    next += 1;
  }
  return ' \t\r\n'.includes(text.charAt(next)) ? next : at;
}

const BULLETS_BEFORE_SPACE = '-*+–—';
const BULLETS = '•●◦▪‣⁃·';
const MAX_NUMBER_LENGTH = 4;
const TASK_BOX = /\[[ xX]\]\s/y;

// Where the text of a list item begins; -1 when the line is no list item. Release notes are also written in mail clients
// and word processors, so that their bullets count as well as those of CommonMark.
export function listItemText(text: string, at: number, end: number): number {
  const marker = text[at] ?? '';
  let next = at + 1;
  if (marker >= '0' && marker <= '9') {
    while (next < end && next - at < MAX_NUMBER_LENGTH && isDigit(text.charCodeAt(next))) next += 1;
    if (text[next] !== '.' && text[next] !== ')') return -1;
    next += 1;
    if (!isSpace(text.charCodeAt(next))) return -1;
  } else if (BULLETS_BEFORE_SPACE.includes(marker)) {
    if (!isSpace(text.charCodeAt(next))) return -1;
  } else if (!BULLETS.includes(marker)) {
    return -1;
  }
  while (next < end && isSpace(text.charCodeAt(next))) next += 1;
  TASK_BOX.lastIndex = next;
  const box = TASK_BOX.exec(text);
  if (box && TASK_BOX.lastIndex <= end) next += box[0].length;
  return next < end ? next : -1;
}

export interface CodeFence {
  character: '`' | '~';
  length: number;
  // The info string: language and more. Only an opening fence has one.
  info: string;
  // A backtick behind the run makes the line a code span in a paragraph.
  canOpen: boolean;
}

// The code fence at a position, which reaches to the end of its line; null when there is none.
export function codeFence(text: string, at: number, end: number): CodeFence | null {
  const code = text.charCodeAt(at);
  if (code !== BACKTICK && code !== TILDE) return null;
  const length = runLength(text, at, end);
  if (length < 3) return null;
  const info = text.slice(at + length, end).trim();
  return {
    character: code === TILDE ? '~' : '`',
    length,
    info,
    canOpen: code === TILDE || !info.includes('`'),
  };
}

export function closesFence(line: string, { character, length }: Pick<CodeFence, 'character' | 'length'>): boolean {
  const closing = codeFence(line, 0, line.length);
  return closing?.character === character && closing.length >= length && closing.info === '';
}

// The run of backticks or tildes with which a line opens or closes fenced code; null for any other line.
export function fenceRun(line: string): string | null {
  const content = line.trimStart();
  const fence = codeFence(content, 0, content.length);
  return fence?.canOpen ? fence.character.repeat(fence.length) : null;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
