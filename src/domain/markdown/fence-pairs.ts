// Which fence lines belong together, and which pairs are doubtful because they hide the beginning of a section.
import { type FenceLine, fenceLines } from './fence-lines.ts';
import { closersOf, closerWithin } from './fences.ts';
import { firstAtOrAfter, type TextRange } from './offsets.ts';

const SECTION = /(?:^|\n)[ \t]*\r?\n {0,3}#{2,4}[ \t]+\S/g;
// Code that is markdown itself may well hold headings.
const MARKDOWN_INFO = /^(?:md|mdx|markdown)\b/i;

export class FencePairs {
  readonly lines: FenceLine[];
  private readonly closers: Int32Array;
  private readonly sections: number[];
  // Starts of the fences with an info string, by character: such a line cannot close another fence.
  private readonly informed: Map<string, number[]>;

  constructor(text: string) {
    this.lines = fenceLines(text);
    this.closers = closersOf(this.lines);
    this.sections = this.lines.length > 0 ? sectionStarts(text) : [];
    this.informed = new Map();
    for (const line of this.lines) {
      if (line.info === '' || !isTopLevel(line)) continue;
      const starts = this.informed.get(line.character);
      if (starts) starts.push(line.start);
      else this.informed.set(line.character, [line.start]);
    }
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
    const section = this.sections[firstAtOrAfter(this.sections, open.end)] ?? Number.POSITIVE_INFINITY;
    const informed = this.informed.get(open.character) ?? [];
    return (informed[firstAtOrAfter(informed, section)] ?? Number.POSITIVE_INFINITY) < close.start;
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
