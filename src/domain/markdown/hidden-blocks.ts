// The parts of a document in which nothing is a heading, a list or a sentence: front matter, fenced code, comments and
// verbatim HTML. Whoever reads markdown by blocks asks here first, so that all readers agree on what is shown.
//
// What is never closed is plain text. A fence that swallows a section because its own end was forgotten counts as never
// closed, too: the words below are those of the author, and a reader of the source sees them.
import { closersOf, closerWithin, type FenceLine, fenceLines, type TextRange } from './fences.ts';
import { type HtmlBlock, htmlBlocks } from './html-blocks.ts';
import { firstAtOrAfter } from './offsets.ts';

export type HiddenBlock = HtmlBlock | (TextRange & { kind: 'front matter' | 'fence' });

const ANY = /`{3}|~{3}|<!--|<(?:pre|script|style|template|textarea)[\s>]/i;
const FRONT_MATTER = /^(?:\ufeff)?---[ \t]*\r?\n[\w-]+[ \t]*:[^\n]*\n/;
const FRONT_MATTER_END = /^---[ \t]*\r?$/;
const FRONT_MATTER_LINES = 100;
const SECTION = /(?:^|\n)[ \t]*\r?\n {0,3}#{2,4}[ \t]+\S/g;
const MARKDOWN_INFO = /^(?:md|mdx|markdown)\b/i;

// Hidden blocks in order; they never overlap. Linear, apart from a logarithm.
export function hiddenBlocks(text: string): HiddenBlock[] {
  const front = frontMatter(text);
  if (!ANY.test(text)) return front;
  const fences = new FenceReader(text);
  const first = walk(text, front, fences, -1);
  const lost = first.leftOver ? fences.firstOverSection(first.blocks) : -1;
  if (lost < 0) return first.blocks;
  const second = walk(text, front, fences, lost);
  return fences.sectionsIn(second.blocks) < fences.sectionsIn(first.blocks) ? second.blocks : first.blocks;
}

interface Walk {
  blocks: HiddenBlock[];
  // A fence was opened and never closed.
  leftOver: boolean;
}

// Takes whichever block begins first, again and again; `ignored` is a fence that is read as text.
function walk(text: string, front: readonly HiddenBlock[], fences: FenceReader, ignored: number): Walk {
  const html = htmlBlocks(text);
  const blocks = [...front];
  let leftOver = false;
  let from = front[0]?.end ?? 0;
  let index = 0;
  for (;;) {
    while (index < fences.lines.length && (fences.lines[index] as FenceLine).start < from) index += 1;
    const limit = html.next(from)?.start ?? text.length;
    const fence = fences.lines[index];
    if (!fence || fence.start > limit) {
      const block = html.next(from);
      if (!block) return { blocks, leftOver };
      blocks.push(block);
      from = block.end;
      continue;
    }
    const closer = index === ignored ? -1 : fences.closerOf(index);
    if (closer < 0) {
      leftOver ||= index !== ignored && fences.isOpen(index);
      index += 1;
      from = fence.start + 1;
      continue;
    }
    const { end } = fences.lines[closer] as FenceLine;
    blocks.push({ kind: 'fence', start: fence.start, end });
    from = end;
  }
}

class FenceReader {
  readonly lines: FenceLine[];
  private readonly closers: Int32Array;
  // Where sections begin, and where fences begin that say what they hold.
  private readonly sections: number[];
  private readonly named: Map<number, number[]>;

  constructor(text: string) {
    this.lines = fenceLines(text);
    this.closers = closersOf(this.lines);
    this.sections = this.lines.length > 0 ? sectionStarts(text) : [];
    this.named = new Map();
    for (const line of this.lines) {
      if (line.info === '' || !isTopLevel(line)) continue;
      const starts = this.named.get(line.mark);
      if (starts) starts.push(line.start);
      else this.named.set(line.mark, [line.start]);
    }
  }

  // The closing line of a fence, -1 when there is none or when the fence has lost it.
  closerOf(index: number): number {
    const line = this.lines[index] as FenceLine;
    if ((!line.opens && !line.opensDeep) || line.underlines) return -1;
    const closer = closerWithin(this.lines, this.closers, index);
    return closer >= 0 && this.hasLostItsEnd(line, this.lines[closer] as FenceLine) ? -1 : closer;
  }

  isOpen(index: number): boolean {
    const line = this.lines[index] as FenceLine;
    return isTopLevel(line) && line.closes && (this.closers[index] as number) < 0;
  }

  // A section begins inside, and after it another fence that cannot be the end of this one.
  private hasLostItsEnd(open: FenceLine, close: FenceLine): boolean {
    if (!isTopLevel(open) || MARKDOWN_INFO.test(open.info)) return false;
    const section = this.sections[firstAtOrAfter(this.sections, open.end)] ?? Number.POSITIVE_INFINITY;
    const named = this.named.get(open.mark) ?? [];
    return (named[firstAtOrAfter(named, section)] ?? Number.POSITIVE_INFINITY) < close.start;
  }

  // The first fence that hides the beginning of a section.
  firstOverSection(blocks: readonly HiddenBlock[]): number {
    const over = blocks.find((block) => block.kind === 'fence' && this.hides(block));
    const index = over ? this.lines.findIndex(({ start }) => start === over.start) : -1;
    const line = this.lines[index];
    return line && isTopLevel(line) && !MARKDOWN_INFO.test(line.info) ? index : -1;
  }

  sectionsIn(blocks: readonly HiddenBlock[]): number {
    return blocks.reduce((sum, block) => sum + this.hiddenBy(block), 0);
  }

  private hides(block: TextRange): boolean {
    return this.hiddenBy(block) > 0;
  }

  private hiddenBy({ start, end }: TextRange): number {
    return firstAtOrAfter(this.sections, end) - firstAtOrAfter(this.sections, start);
  }
}

function sectionStarts(text: string): number[] {
  return Array.from(text.matchAll(SECTION), (match) => match.index + match[0].lastIndexOf('\n') + 1);
}

function isTopLevel(line: FenceLine): boolean {
  return line.opens && !line.inItem && !line.inQuote && !line.underlines;
}

function frontMatter(text: string): HiddenBlock[] {
  const begin = FRONT_MATTER.exec(text.slice(0, 2000))?.[0];
  if (begin === undefined) return [];
  let start = begin.length;
  for (let count = 0; count < FRONT_MATTER_LINES && start < text.length; count += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (FRONT_MATTER_END.test(text.slice(start, end))) {
      return [{ kind: 'front matter', start: 0, end: Math.min(end + 1, text.length) }];
    }
    start = end + 1;
  }
  return [];
}
