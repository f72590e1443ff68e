// Fenced code as CommonMark reads it, with one difference: a fence that is never closed is plain text, so that one
// forgotten line of backticks does not hide the rest of a document. A fence in a list item or a block quote must be
// closed before its container ends.

export type TextRange = { start: number; end: number };

export type FenceLine = TextRange & {
  mark: number;
  size: number;
  // Words follow the marks, which only an opening fence may have.
  info: string;
  opens: boolean;
  closes: boolean;
  // Opens behind a list marker.
  inItem: boolean;
  inQuote: boolean;
  // Indented by more than three: inside a list item that may still be a fence, elsewhere it is indented code.
  deep: boolean;
  // `deep`, and text of a list item or of a document that is indented throughout.
  opensDeep: boolean;
  // The marks underline the single line above, as reStructuredText writes titles.
  underlines: boolean;
  // Start of the next line outside of the container.
  containerEnd: number;
};

const TILDE = 0x7e;
const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const BACKTICK = 0x60;
const SHORTEST_UNDERLINE = 4;
const INFO_READ = 200;
const NO_TITLE: TextRange = { start: 0, end: -1 };

// Fenced blocks in order, each from the start of its opening line to the end of its closing line.
export function fencedRanges(text: string): TextRange[] {
  const lines = fenceLines(text);
  const closers = closersOf(lines);
  const ranges: TextRange[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const open = lines[at] as FenceLine;
    const closer = open.opens && !open.inQuote ? closerWithin(lines, closers, at) : -1;
    if (closer < 0) continue;
    ranges.push({ start: open.start, end: (lines[closer] as FenceLine).end });
    at = closer;
  }
  return ranges;
}

// Index of the line that closes the fence at an index, -1 when its container ends before.
export function closerWithin(lines: readonly FenceLine[], closers: Int32Array, at: number): number {
  const open = lines[at] as FenceLine;
  const closer = closers[at] as number;
  if (closer < 0) return -1;
  const isContained = open.inItem || open.inQuote || open.deep;
  return isContained && (lines[closer] as FenceLine).start >= open.containerEnd ? -1 : closer;
}

// For each line the index of the first later line that could close it, or -1. Read backwards: of the possible closers
// only those remain that are longer than all before them, which keeps hostile files at n log n.
export function closersOf(lines: readonly FenceLine[]): Int32Array {
  const possible = { item: newStacks(), quote: newStacks(), top: newStacks() };
  const closers = new Int32Array(lines.length);
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] as FenceLine;
    const mark = line.mark === TILDE ? 'tildes' : 'ticks';
    const container = line.inQuote ? 'quote' : line.inItem || line.deep ? 'item' : 'top';
    closers[at] = firstOfSize(lines, possible[container][mark], line.size);
    if (!line.closes) continue;
    push(lines, possible[line.inQuote ? 'quote' : 'item'][mark], at);
    if (!line.inQuote && !line.deep) push(lines, possible.top[mark], at);
  }
  return closers;
}

function newStacks(): { ticks: number[]; tildes: number[] } {
  return { ticks: [], tildes: [] };
}

function push(lines: readonly FenceLine[], stack: number[], at: number): void {
  const { size } = lines[at] as FenceLine;
  while (stack.length > 0 && (lines[stack.at(-1) as number] as FenceLine).size <= size) stack.pop();
  stack.push(at);
}

// The nearest line of at least `size` marks in a stack whose top is the nearest and shortest.
function firstOfSize(lines: readonly FenceLine[], stack: number[], size: number): number {
  let low = 0;
  let high = stack.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[stack[middle] as number] as FenceLine).size >= size) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? -1 : (stack[low - 1] as number);
}

// Every line that may open or close a fence.
export function fenceLines(text: string): FenceLine[] {
  const lines: FenceLine[] = [];
  const waiting: { flush: FenceLine[]; quote: FenceLine[] } = { flush: [], quote: [] };
  let inList = false;
  let hasMargin = false;
  let afterBlank = true;
  // The line above, when it may be a title: it follows a blank line and stands at the margin.
  let title: TextRange = NO_TITLE;
  for (let start = 0; start < text.length; ) {
    const first = text.charCodeAt(start);
    const newline = first === NEWLINE ? start : text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline + 1;
    if (isBlankLine(text, start, end)) {
      waiting.quote = settle(waiting.quote, start);
      afterBlank = true;
      title = NO_TITLE;
      start = end;
      continue;
    }
    const isFlush = first !== SPACE && first !== TAB;
    const isItem = isListItem(text, start, end);
    if (isFlush) waiting.flush = settle(waiting.flush, start);
    if (waiting.quote.length > 0 && quoteEnd(text, start, end) === start) waiting.quote = settle(waiting.quote, start);
    const line = readFenceLine(text, start, end);
    if (line) {
      line.opensDeep = line.deep && (inList || !hasMargin);
      line.underlines = line.info === '' && line.size >= SHORTEST_UNDERLINE && line.size >= title.end - title.start;
      line.underlines &&= title.end > title.start;
      lines.push(line);
      waiting[line.inQuote ? 'quote' : 'flush'].push(line);
    }
    inList = isItem || (inList && !(isFlush && afterBlank));
    hasMargin ||= isFlush;
    title = isFlush && afterBlank && !isItem && !line ? { start, end: end - 1 } : NO_TITLE;
    afterBlank = false;
    start = end;
  }
  return lines;
}

function isBlankLine(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(skipBlanks(text, start, end));
  return code === NEWLINE || code === RETURN || Number.isNaN(code);
}

function settle(lines: readonly FenceLine[], at: number): FenceLine[] {
  for (const line of lines) line.containerEnd = at;
  return [];
}

function readFenceLine(text: string, start: number, end: number): FenceLine | undefined {
  const inner = quoteEnd(text, start, end);
  const first = skipBlanks(text, inner, end);
  const at = skipListMarkers(text, first, end);
  const mark = text.charCodeAt(at);
  if (mark !== BACKTICK && mark !== TILDE) return undefined;
  let after = at;
  while (text.charCodeAt(after) === mark) after += 1;
  if (after - at < 3) return undefined;

  const rest = text.slice(after, end).trim();
  const inItem = at > first;
  const inQuote = inner > start;
  const deep = first - inner > 3 || text.slice(inner, first).includes('\t');
  const canOpen = mark === TILDE || !rest.includes('`');
  return {
    start,
    end,
    mark,
    size: after - at,
    info: rest.slice(0, INFO_READ),
    opens: !deep && canOpen,
    closes: !inItem && rest === '',
    inItem,
    inQuote,
    deep: deep && canOpen,
    opensDeep: false,
    underlines: false,
    containerEnd: text.length,
  };
}

// Where the text of a block quote begins; `start` itself when the line is not quoted.
function quoteEnd(text: string, start: number, end: number): number {
  let at = start;
  for (;;) {
    const mark = skipBlanks(text, at, Math.min(end, at + 4));
    if (text.charAt(mark) !== '>') return at;
    at = mark + 1;
    if (text.charCodeAt(at) === SPACE) at += 1;
  }
}

function isListItem(text: string, start: number, end: number): boolean {
  const first = skipBlanks(text, start, end);
  const after = listMarkerEnd(text, first);
  return after > first && (after >= end || skipBlanks(text, after, end) > after);
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

// End of a bullet or of a number with its point or bracket; `start` itself when there is none.
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
