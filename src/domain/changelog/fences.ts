// Fenced code as CommonMark reads it, with one difference: a fence that is never closed is plain text, so that one
// forgotten line of backticks does not hide the rest of a changelog. A fence that opens behind a list marker belongs
// to its list item and must be closed before the next line at column 0.

export type Range = { start: number; end: number };

type FenceLine = {
  start: number;
  end: number;
  mark: number;
  size: number;
  opens: boolean;
  closes: boolean;
  /** Opens behind a list marker. */
  inItem: boolean;
  /** Indented by more than three: inside a list item that may still close a fence, elsewhere it is indented code. */
  deep: boolean;
  /** Start of the next line that is neither blank nor indented. */
  nextFlush: number;
};

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const BACKTICK = 0x60;
const TILDE = 0x7e;

/** Fenced blocks in order, each from the start of its opening line to the end of its closing line. */
export function fencedRanges(text: string): Range[] {
  const lines = fenceLines(text);
  const closers = closersOf(lines);
  const ranges: Range[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const open = lines[at] as FenceLine;
    const closer = closers[at] as number;
    if (!open.opens || closer < 0) continue;
    const close = lines[closer] as FenceLine;
    if (open.inItem && close.start >= open.nextFlush) continue;
    ranges.push({ start: open.start, end: close.end });
    at = closer;
  }
  return ranges;
}

/**
 * For each line the index of the first later line that could close it, or -1. Read backwards: of the possible closers
 * only those remain that are longer than all before them, which keeps hostile files at n log n.
 */
function closersOf(lines: FenceLine[]): Int32Array {
  const kept = { item: newStacks(), top: newStacks() };
  const closers = new Int32Array(lines.length);
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] as FenceLine;
    const mark = line.mark === TILDE ? 'tildes' : 'ticks';
    closers[at] = firstOfSize(lines, kept[line.inItem ? 'item' : 'top'][mark], line.size);
    if (!line.closes) continue;
    keep(lines, kept.item[mark], at);
    if (!line.deep) keep(lines, kept.top[mark], at);
  }
  return closers;
}

function newStacks(): { ticks: number[]; tildes: number[] } {
  return { ticks: [], tildes: [] };
}

function keep(lines: FenceLine[], stack: number[], at: number): void {
  const { size } = lines[at] as FenceLine;
  while (stack.length > 0 && (lines[stack.at(-1) as number] as FenceLine).size <= size) stack.pop();
  stack.push(at);
}

/** The nearest line of at least `size` marks in a stack whose top is the nearest and shortest. */
function firstOfSize(lines: FenceLine[], stack: number[], size: number): number {
  let low = 0;
  let high = stack.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[stack[middle] as number] as FenceLine).size >= size) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? -1 : (stack[low - 1] as number);
}

function fenceLines(text: string): FenceLine[] {
  const lines: FenceLine[] = [];
  let waiting = 0;
  for (let start = 0; start < text.length; ) {
    const first = text.charCodeAt(start);
    if (first === NEWLINE) {
      start += 1;
      continue;
    }
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline + 1;
    if (first !== SPACE && first !== TAB && first !== RETURN) {
      for (; waiting < lines.length; waiting += 1) (lines[waiting] as FenceLine).nextFlush = start;
    }
    const line = readFenceLine(text, start, end);
    if (line) lines.push(line);
    start = end;
  }
  return lines;
}

function readFenceLine(text: string, start: number, end: number): FenceLine | undefined {
  const first = skipBlanks(text, start, end);
  const at = skipListMarkers(text, first, end);
  const mark = text.charCodeAt(at);
  if (mark !== BACKTICK && mark !== TILDE) return undefined;
  let after = at;
  while (text.charCodeAt(after) === mark) after += 1;
  if (after - at < 3) return undefined;

  const info = text.slice(after, end).trim();
  const inItem = at > first;
  const deep = first - start > 3 || text.slice(start, first).includes('\t');
  const opens = !deep && (mark === TILDE || !info.includes('`'));
  const closes = !inItem && info === '';
  return { start, end, mark, size: after - at, opens, closes, inItem, deep, nextFlush: text.length };
}

function skipListMarkers(text: string, start: number, end: number): number {
  let at = start;
  for (;;) {
    const after = listMarkerEnd(text, at);
    const next = skipBlanks(text, after, end);
    if (after === at || next === after) return at;
    at = next;
  }
}

/** End of a bullet or of a number with its point or bracket; `start` itself when there is none. */
function listMarkerEnd(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '-' || first === '+' || first === '*') return start + 1;
  let at = start;
  while (at - start < 9 && isDigit(text.charCodeAt(at))) at += 1;
  const last = text.charAt(at);
  return at > start && (last === '.' || last === ')') ? at + 1 : start;
}

function skipBlanks(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB)) at += 1;
  return at;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
