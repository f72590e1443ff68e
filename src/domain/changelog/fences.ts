// Fenced code as CommonMark reads it, with one difference: a fence that is never closed is plain text, so that one
// forgotten line of backticks does not hide the rest of a changelog. A fence that opens behind a list marker belongs
// to its list item and must be closed before the next line at column 0.

export type Range = { start: number; end: number };

type FenceLine = {
  start: number;
  end: number;
  mark: string;
  size: number;
  indent: number;
  inItem: boolean;
  opens: boolean;
  closes: boolean;
  /** Start of the next line that is neither blank nor indented. */
  nextFlush: number;
};

const MAX_INDENT = 3;

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
function closersOf(lines: FenceLine[]): number[] {
  const kept = new Map<string, number[]>();
  const closers: number[] = [];
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] as FenceLine;
    closers[at] = firstOfSize(lines, kept.get(line.mark + line.inItem) ?? [], line.size);
    if (!line.closes) continue;
    // Inside a list item the closing fence is as deep as the item; elsewhere a deep one is indented code.
    const audience = line.indent <= MAX_INDENT ? [true, false] : [true];
    for (const inItem of audience) {
      const key = line.mark + inItem;
      const stack = kept.get(key) ?? [];
      while (stack.length > 0 && (lines[stack.at(-1) as number] as FenceLine).size <= line.size) stack.pop();
      stack.push(at);
      kept.set(key, stack);
    }
  }
  return closers;
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
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline + 1;
    if (!isBlankAt(text, start)) {
      while (waiting < lines.length) (lines[waiting++] as FenceLine).nextFlush = start;
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
  const mark = text.charAt(at);
  if (mark !== '`' && mark !== '~') return undefined;
  let after = at;
  while (after < end && text.charAt(after) === mark) after += 1;
  if (after - at < 3) return undefined;

  const info = text.slice(after, end).trim();
  const indent = text.slice(start, first).includes('\t') ? MAX_INDENT + 1 : first - start;
  const inItem = at > first;
  const opens = indent <= MAX_INDENT && (mark === '~' || !info.includes('`'));
  const closes = !inItem && info === '';
  return { start, end, mark, size: after - at, indent, inItem, opens, closes, nextFlush: text.length };
}

function skipListMarkers(text: string, start: number, end: number): number {
  let at = start;
  for (;;) {
    let after = at;
    if ('-+*'.includes(text.charAt(after))) after += 1;
    else {
      while (after - at < 9 && isDigit(text, after)) after += 1;
      if (after === at || !'.)'.includes(text.charAt(after))) return at;
      after += 1;
    }
    const next = skipBlanks(text, after, end);
    if (next === after) return at;
    at = next;
  }
}

function skipBlanks(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && (text.charAt(at) === ' ' || text.charAt(at) === '\t')) at += 1;
  return at;
}

function isBlankAt(text: string, at: number): boolean {
  return ' \t\r\n'.includes(text.charAt(at));
}

function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0x30 && unit <= 0x39;
}
