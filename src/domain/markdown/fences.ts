// Fenced code as CommonMark reads it, with one difference: a fence that is never closed is plain text, so that one
// forgotten line of backticks does not hide the rest of a document. A fence in a list item or a block quote must be
// closed before its container ends.
import { type FenceLine, fenceLines } from './fence-lines.ts';
import type { TextRange } from './offsets.ts';

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

// For each line the index of the first later line that could close it, or -1. Lines are read backwards, and of the
// possible closers only those remain that are longer than all before them, which makes hostile files cost n log n.
export function closersOf(lines: readonly FenceLine[]): Int32Array {
  const possible = { item: newStacks(), quote: newStacks(), top: newStacks() };
  const closers = new Int32Array(lines.length);
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] as FenceLine;
    const kind = line.character === '~' ? 'tildes' : 'backticks';
    const container = line.inQuote ? 'quote' : line.inItem || line.deep ? 'item' : 'top';
    closers[at] = nearestOfLength(lines, possible[container][kind], line.length);
    if (!line.closes) continue;
    push(lines, possible[line.inQuote ? 'quote' : 'item'][kind], at);
    if (!line.inQuote && !line.deep) push(lines, possible.top[kind], at);
  }
  return closers;
}

function newStacks(): { backticks: number[]; tildes: number[] } {
  return { backticks: [], tildes: [] };
}

function push(lines: readonly FenceLine[], stack: number[], at: number): void {
  const { length } = lines[at] as FenceLine;
  while (stack.length > 0 && (lines[stack.at(-1) as number] as FenceLine).length <= length) stack.pop();
  stack.push(at);
}

// The nearest line of at least this length, in a stack whose top is the nearest and shortest.
function nearestOfLength(lines: readonly FenceLine[], stack: number[], length: number): number {
  let low = 0;
  let high = stack.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[stack[middle] as number] as FenceLine).length >= length) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? -1 : (stack[low - 1] as number);
}
