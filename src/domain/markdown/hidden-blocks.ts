// The parts of a document in which nothing is a heading, a list or a sentence: front matter, fenced code, comments and
// HTML elements with literal content. Every reader of blocks asks here first, so that all agree on what is prose.
//
// A block that is never closed is plain text. A fence whose end was forgotten, so that it runs over the next section to
// some other fence, counts as never closed too: hiding a whole section is worse than showing some code as prose.
import type { FenceLine } from './fence-lines.ts';
import { FencePairs } from './fence-pairs.ts';
import { type HtmlBlock, htmlBlocks } from './html-blocks.ts';
import type { TextRange } from './offsets.ts';

export type HiddenBlock = HtmlBlock | (TextRange & { kind: 'front matter' | 'fence' });

// Most texts hide nothing and are recognised by one search.
const ANY = /`{3}|~{3}|<!--|<(?:pre|script|style|template|textarea)[\s>]/i;
const FRONT_MATTER = /^(?:\ufeff)?---[ \t]*\r?\n[\w-]+[ \t]*:[^\n]*\n/;
const FRONT_MATTER_END = /^---[ \t]*\r?$/;
const FRONT_MATTER_LINES = 100;

// Hidden blocks in order; they never overlap. Costs n log n at most.
export function hiddenBlocks(text: string): HiddenBlock[] {
  const front = frontMatter(text);
  if (!ANY.test(text)) return front;
  const fences = new FencePairs(text);
  const first = walk(text, { front, fences, ignored: -1 });
  // A fence was left open, so that all pairs before it may be shifted by one: the fence that hides a section is ignored
  // on trial.
  const suspect = first.leftOver ? fences.firstOverSection(first.blocks) : -1;
  if (suspect < 0) return first.blocks;
  const second = walk(text, { front, fences, ignored: suspect });
  return fences.sectionsIn(second.blocks) < fences.sectionsIn(first.blocks) ? second.blocks : first.blocks;
}

interface WalkOptions {
  front: readonly HiddenBlock[];
  fences: FencePairs;
  // Index of a fence line to treat as text, -1 for none.
  ignored: number;
}

interface WalkResult {
  blocks: HiddenBlock[];
  // A fence was opened and never closed.
  leftOver: boolean;
}

// Takes whichever block begins first, then goes on behind it.
function walk(text: string, { front, fences, ignored }: WalkOptions): WalkResult {
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
