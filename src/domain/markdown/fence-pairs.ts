// Which fence lines belong together, and which pairs are doubtful because they hide the beginning of a section. Fenced code
// is as in CommonMark with one difference: a fence that is never closed is plain text, so that one forgotten line of
// backticks does not hide the rest of a document. A fence in a list item or a block quote must be closed before its container
// ends.
import { type FenceLine, fenceLines } from './fence-lines.ts';
import { firstAtOrAfter, type TextRange } from './offsets.ts';

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
