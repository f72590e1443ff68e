// Character-level reading of one line: every function looks at `text` between two positions and allocates little.

// Position of the first character that is no indent, and the column it stands in (tabs end at multiples of 4).
export function readIndent(text: string, start: number, end: number): { at: number; column: number } {
  let column = 0;
  let at = start;
  for (; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 32 || code === 0xa0) column += 1;
    else if (code === 9) column += 4 - (column % 4);
    else break;
  }
  return { at, column };
}

export function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1] ?? '')) at -= 1;
  return at;
}

// Length of the run of equal characters at a position.
function runLength(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  let next = at;
  while (next < end && text.charCodeAt(next) === code) next += 1;
  return next - at;
}

// The whole line is one repeated character, white space aside: rule, underline of a title. 0 when it is not.
export function uniformRun(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  let count = 0;
  for (let next = at; next < end; next += 1) {
    const here = text.charCodeAt(next);
    if (here === code) count += 1;
    else if (here !== 32 && here !== 9) return 0;
  }
  return count;
}

const BULLETS_BEFORE_SPACE = '-*+–—';
const BULLETS = '•●◦▪‣⁃·';
const TASK_BOX = /\[[ xX]\]\s/y;

// Where the text of a list entry begins, -1 when the line is none.
export function listText(text: string, at: number, end: number): number {
  const mark = text[at] ?? '';
  let next = at + 1;
  if (mark >= '0' && mark <= '9') {
    while (next < end && next - at < 4 && isDigit(text.charCodeAt(next))) next += 1;
    if (text[next] !== '.' && text[next] !== ')') return -1;
    next += 1;
    if (!isSpace(text.charCodeAt(next))) return -1;
  } else if (BULLETS_BEFORE_SPACE.includes(mark)) {
    if (!isSpace(text.charCodeAt(next))) return -1;
  } else if (!BULLETS.includes(mark)) {
    return -1;
  }
  while (next < end && isSpace(text.charCodeAt(next))) next += 1;
  TASK_BOX.lastIndex = next;
  const box = TASK_BOX.exec(text);
  if (box && TASK_BOX.lastIndex <= end) next += box[0].length;
  return next < end ? next : -1;
}

// Level and text start of `## Title`, which may be empty; `#12` is a reference, `##Title` an old spelling that is accepted.
export function atxHeading(text: string, at: number, end: number): { level: number; start: number } | null {
  const level = text[at] === '#' ? runLength(text, at, end) : 0;
  const next = at + level;
  if (level < 1 || level > 6) return null;
  if (next < end && !isSpace(text.charCodeAt(next))) {
    const isOldSpelling = level > 1 && /^(?:[A-Za-z[]|\d+\.\d)/.test(text.slice(next, next + 12));
    if (!isOldSpelling) return null;
  }
  return { level, start: readIndent(text, next, end).at };
}

// Whether a line by itself is a heading with `#`.
export function isHeadingLine(line: string): boolean {
  const { at, column } = readIndent(line, 0, line.length);
  return column <= 3 && atxHeading(line, at, line.length) !== null;
}

const FENCE_MARK = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;

// The marks with which a line opens or closes fenced code; null for any other line.
export function fenceMark(line: string): string | null {
  const match = FENCE_MARK.exec(line.trimStart());
  return match?.[1] ?? match?.[2] ?? null;
}

// Where the text of a heading ends without its optional closing marks: `## 1.2.3 ##`.
export function headingEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && text[at - 1] === '#') at -= 1;
  if (at === start) return start;
  return at < end && isSpace(text.charCodeAt(at - 1)) ? trimEnd(text, start, at) : end;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 0xa0;
}
