// Code fences: the lines that may open or close one, which of them belong together, and which pairs are doubtful because
// they hide the beginning of a section. Fenced code is as in CommonMark with one difference: a fence that is never closed is
// plain text, so that one forgotten line of backticks does not hide the rest of a document. A fence in a list item or a block
// quote must be closed before its container ends.
import { adorns, codeFence, listMarkerEnd } from './line-syntax.ts';
import { firstAtOrAfter, type TextRange } from './offsets.ts';

export type FenceLine = TextRange & {
  character: '`' | '~';
  length: number;
  // The info string, which only an opening fence may have.
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
  // The run underlines the single line above, as reStructuredText writes titles.
  underlines: boolean;
  // Start of the next line outside of the container block.
  containerEnd: number;
};

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
// A line of any length is held, but only so much of its info string.
const INFO_READ = 200;
const NO_TITLE: TextRange = { start: 0, end: -1 };

// Finds every line that may open or close a code fence, with what decides about it: its container and its indentation.
function fenceLines(text: string): FenceLine[] {
  const lines: FenceLine[] = [];
  // Fence lines whose container block is still open.
  const waiting: { flush: FenceLine[]; quote: FenceLine[] } = { flush: [], quote: [] };
  let inList = false;
  let hasMargin = false;
  let afterBlank = true;
  // The line above, when it may be a title: it follows a blank line and is not indented.
  let title: TextRange = NO_TITLE;
  for (let start = 0; start < text.length; ) {
    const first = text.charCodeAt(start);
    const newline = first === NEWLINE ? start : text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline + 1;
    if (isBlankLine(text, start, end)) {
      waiting.quote = endContainer(waiting.quote, start);
      afterBlank = true;
      title = NO_TITLE;
      start = end;
      continue;
    }
    const isFlush = first !== SPACE && first !== TAB;
    const isItem = isListItem(text, start, end);
    if (isFlush) waiting.flush = endContainer(waiting.flush, start);
    if (waiting.quote.length > 0 && quoteEnd(text, start, end) === start) {
      waiting.quote = endContainer(waiting.quote, start);
    }
    const line = readFenceLine(text, start, end);
    if (line) {
      line.opensDeep = line.deep && (inList || !hasMargin);
      line.underlines = line.info === '' && adorns(line.length, title.end - title.start);
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

function endContainer(lines: readonly FenceLine[], at: number): FenceLine[] {
  for (const line of lines) line.containerEnd = at;
  return [];
}

function readFenceLine(text: string, start: number, end: number): FenceLine | undefined {
  const inner = quoteEnd(text, start, end);
  const first = skipBlanks(text, inner, end);
  const at = skipListMarkers(text, first, end);
  const fence = codeFence(text, at, end);
  if (fence === null) return undefined;

  const { character, length, info, canOpen } = fence;
  const inItem = at > first;
  const deep = first - inner > 3 || text.slice(inner, first).includes('\t');
  return {
    start,
    end,
    character,
    length,
    info: info.slice(0, INFO_READ),
    opens: !deep && canOpen,
    closes: !inItem && info === '',
    inItem,
    inQuote: inner > start,
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
    const marker = skipBlanks(text, at, Math.min(end, at + 4));
    if (text.charAt(marker) !== '>') return at;
    at = marker + 1;
    if (text.charCodeAt(at) === SPACE) at += 1;
  }
}

function isListItem(text: string, start: number, end: number): boolean {
  const first = skipBlanks(text, start, end);
  return listMarkerEnd(text, first) > first;
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

function skipBlanks(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB)) at += 1;
  return at;
}

// Which fence lines belong together.

const SECTION = /(?:^|\n)[ \t]*\r?\n {0,3}#{2,4}[ \t]+\S/g;
// Code that is markdown itself may well hold headings.
const MARKDOWN_INFO = /^(?:md|mdx|markdown)\b/i;

export class FencePairs {
  readonly lines: FenceLine[];
  private readonly closers: Int32Array;
  private readonly text: string;
  // Found when they are first asked for, because most documents have no doubtful fence.
  private foundSections: number[] | null = null;
  // Starts of the fences with an info string, by character: such a line cannot close another fence.
  private readonly informed: Map<string, number[]>;

  constructor(text: string) {
    this.text = text;
    this.lines = fenceLines(text);
    this.closers = closersOf(this.lines);
    this.informed = new Map();
    for (const line of this.lines) {
      if (line.info === '' || !isTopLevel(line)) continue;
      const starts = this.informed.get(line.character);
      if (starts) starts.push(line.start);
      else this.informed.set(line.character, [line.start]);
    }
  }

  private get sections(): number[] {
    this.foundSections ??= this.lines.length > 0 ? sectionStarts(this.text) : [];
    return this.foundSections;
  }

  // Index of the line that closes a fence, -1 when there is none or when its own closing line was forgotten.
  closerOf(index: number): number {
    const line = this.lines[index] as FenceLine;
    if ((!line.opens && !line.opensDeep) || line.underlines) return -1;
    const closer = closerWithin(this.lines, this.closers, index);
    return closer >= 0 && this.lacksItsCloser(line, this.lines[closer] as FenceLine) ? -1 : closer;
  }

  // Whether a line opens a fence that nothing closes.
  isOpen(index: number): boolean {
    const line = this.lines[index] as FenceLine;
    return isTopLevel(line) && line.closes && (this.closers[index] as number) < 0;
  }

  // A section begins inside, and behind its heading another fence that cannot close this one.
  private lacksItsCloser(open: FenceLine, close: FenceLine): boolean {
    if (!isTopLevel(open) || MARKDOWN_INFO.test(open.info)) return false;
    const informed = this.informed.get(open.character) ?? [];
    const isFollowed = (from: number) => (informed[firstAtOrAfter(informed, from)] ?? Infinity) < close.start;
    return isFollowed(open.end) && isFollowed(this.sections[firstAtOrAfter(this.sections, open.end)] ?? Infinity);
  }

  // The first fence that hides the beginning of a section.
  firstOverSection(blocks: readonly (TextRange & { kind: string })[]): number {
    const over = blocks.find((block) => block.kind === 'fence' && this.sectionsWithin(block) > 0);
    const index = over ? this.lines.findIndex(({ start }) => start === over.start) : -1;
    const line = this.lines[index];
    return line && isTopLevel(line) && !MARKDOWN_INFO.test(line.info) ? index : -1;
  }

  // How many sections begin inside of blocks.
  sectionsIn(blocks: readonly TextRange[]): number {
    return blocks.reduce((sum, block) => sum + this.sectionsWithin(block), 0);
  }

  private sectionsWithin({ start, end }: TextRange): number {
    return firstAtOrAfter(this.sections, end) - firstAtOrAfter(this.sections, start);
  }
}

function sectionStarts(text: string): number[] {
  return Array.from(text.matchAll(SECTION), (match) => match.index + match[0].lastIndexOf('\n') + 1);
}

function isTopLevel(line: FenceLine): boolean {
  return line.opens && !line.inItem && !line.inQuote && !line.underlines;
}

// Index of the line that closes the fence at an index, -1 when its container ends before.
function closerWithin(lines: readonly FenceLine[], closers: Int32Array, at: number): number {
  const open = lines[at] as FenceLine;
  const closer = closers[at] as number;
  if (closer < 0) return -1;
  const isContained = open.inItem || open.inQuote || open.deep;
  return isContained && (lines[closer] as FenceLine).start >= open.containerEnd ? -1 : closer;
}

// For each line the index of the first later line that could close it, or -1. Lines are read backwards, and of the
// possible closers only those remain that are longer than all before them, which makes hostile files cost n log n.
function closersOf(lines: readonly FenceLine[]): Int32Array {
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
