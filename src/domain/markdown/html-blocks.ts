import type { TextRange } from './fences.ts';
import { type Needle, Seeker } from './seek.ts';

const OPENING = /<!--|(?<=^ {0,3})<(pre|script|style|template|textarea)(?=[\s>])/gim;
const COMMENT_END = { pattern: /-->/g, length: 3 } satisfies Needle;
const ENDS: Readonly<Record<string, Needle>> = {
  pre: { pattern: /<\/pre>/gi, length: 6 },
  script: { pattern: /<\/script>/gi, length: 9 },
  style: { pattern: /<\/style>/gi, length: 8 },
  template: { pattern: /<\/template>/gi, length: 11 },
  textarea: { pattern: /<\/textarea>/gi, length: 11 },
};

export type HtmlBlock = TextRange & { kind: 'comment' | 'verbatim' };

interface HtmlBlocks {
  // The next block at or after a position; positions only grow.
  next(from: number): HtmlBlock | null;
}

// Comments and verbatim elements that are blocks: they begin a line, or a comment goes on below its line. Shorter
// comments are left to whoever reads the line.
export function htmlBlocks(text: string): HtmlBlocks {
  const comments = new Seeker(text, COMMENT_END);
  const elements = new Map(Object.entries(ENDS).map(([name, end]) => [name, new Seeker(text, end)]));
  const line = lineTracker(text);
  let found: HtmlBlock | null = null;
  let searched = 0;
  let isDone = false;

  function blockAt(start: number, name: string | undefined): HtmlBlock | null {
    if (name !== undefined) {
      const end = elements.get(name)?.from(start) ?? -1;
      return end < 0 ? null : { kind: 'verbatim', start, end: end + (ENDS[name]?.length ?? 0) };
    }
    const { isFirst, isCode, end: lineEnd } = line.at(start);
    const end = isCode ? -1 : comments.from(start + 4);
    if (end < 0 || (end < lineEnd && !isFirst)) return null;
    return { kind: 'comment', start, end: end + 3 };
  }

  return {
    next(from) {
      if (found && found.start >= from) return found;
      if (isDone) return null;
      for (searched = Math.max(searched, from); ; ) {
        OPENING.lastIndex = searched;
        const match = OPENING.exec(text);
        if (!match) {
          isDone = true;
          found = null;
          return null;
        }
        searched = match.index + match[0].length;
        found = blockAt(match.index, match[1]?.toLowerCase());
        if (found) return found;
      }
    },
  };
}

// Where a position stands in its line, for positions that only grow: all calls together cost one pass.
function lineTracker(text: string) {
  const newlines = new Seeker(text, { pattern: /\n/g, length: 1 });
  let start = 0;
  let counted = 0;
  let ticks = 0;
  let isBlank = true;
  return {
    at(position: number): { isFirst: boolean; isCode: boolean; end: number } {
      for (let end = newlines.from(start); end >= 0 && end < position; end = newlines.from(start)) {
        start = end + 1;
        counted = start;
        ticks = 0;
        isBlank = true;
      }
      for (; counted < position; counted += 1) {
        const code = text.charCodeAt(counted);
        if (code === 0x60) ticks += 1;
        isBlank &&= code === 0x20 || code === 0x09 || code === 0xa0;
      }
      const end = newlines.from(position);
      return { isFirst: isBlank, isCode: ticks % 2 === 1, end: end < 0 ? text.length : end };
    },
  };
}
