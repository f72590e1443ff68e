// The parts of a document in which nothing is a heading, a list or a sentence: front matter, fenced code, comments and
// HTML elements with literal content. Every reader of blocks asks here first, so that all agree on what is prose.
//
// A block that is never closed is plain text. A fence whose end was forgotten, so that it runs over the next section to
// some other fence, counts as never closed too: hiding a whole section is worse than showing some code as prose.
import { type FenceLine, FencePairs } from './fences.ts';
import { type Needle, Seeker, type TextRange } from './offsets.ts';

// HTML that hides text from readers of markdown: comments, and elements whose content is not markdown.
const OPENING = /<!--|(?<=^ {0,3})<(pre|script|style|template|textarea)(?=[\s>])/gim;
const COMMENT_END = { pattern: /-->/g, length: 3 } satisfies Needle;

// Elements whose content is not markdown, with their closing tags.
export const LITERAL_ELEMENTS: Readonly<Record<string, Needle>> = {
  pre: { pattern: /<\/pre>/gi, length: 6 },
  script: { pattern: /<\/script>/gi, length: 9 },
  style: { pattern: /<\/style>/gi, length: 8 },
  template: { pattern: /<\/template>/gi, length: 11 },
  textarea: { pattern: /<\/textarea>/gi, length: 11 },
};

type HtmlBlock = TextRange & { kind: 'comment' | 'literal' };

interface HtmlBlocks {
  // The next block at or after a position; callers ask for rising positions only.
  next(from: number): HtmlBlock | null;
}

// Literal elements have to begin a line. Comments have to begin a line or reach beyond it; a comment inside of one line
// is left to whoever parses the inlines of that line.
function htmlBlocks(text: string): HtmlBlocks {
  const comments = new Seeker(text, COMMENT_END);
  const elements = new Map(Object.entries(LITERAL_ELEMENTS).map(([name, end]) => [name, new Seeker(text, end)]));
  const line = lineTracker(text);
  let found: HtmlBlock | null = null;
  let searched = 0;
  let isDone = false;

  function blockAt(start: number, name: string | undefined): HtmlBlock | null {
    if (name !== undefined) {
      const end = elements.get(name)?.from(start) ?? -1;
      return end < 0 ? null : { kind: 'literal', start, end: end + (LITERAL_ELEMENTS[name]?.length ?? 0) };
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

// Tells for rising positions whether only white space precedes them in their line and whether they are in a code span, as an
// odd number of backticks before them says. All calls together cost one pass.
export function lineTracker(text: string) {
  const newlines = new Seeker(text, { pattern: /\n/g, length: 1 });
  let start = 0;
  let counted = 0;
  let backticks = 0;
  let isBlank = true;
  return {
    at(position: number): { isFirst: boolean; isCode: boolean; end: number } {
      for (let end = newlines.from(start); end >= 0 && end < position; end = newlines.from(start)) {
        start = end + 1;
        counted = start;
        backticks = 0;
        isBlank = true;
      }
      for (; counted < position; counted += 1) {
        const code = text.charCodeAt(counted);
        if (code === 0x60) backticks += 1;
        isBlank &&= code === 0x20 || code === 0x09 || code === 0xa0;
      }
      const end = newlines.from(position);
      return { isFirst: isBlank, isCode: backticks % 2 === 1, end: end < 0 ? text.length : end };
    },
  };
}

// HTML blocks of CommonMark, which its renderers pass through.

const BLOCK_TAGS = new Set(
  `address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt
  fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main
  menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr
  track ul`.split(/\s+/),
);
const RAW_TAGS = new Set(['script', 'pre', 'style', 'textarea']);
const WHOLE_TAG =
  /^<(?:\/[a-z][a-z0-9-]*[ \t]*|[a-z][a-z0-9-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?)>[ \t]*$/i;

// The end condition of the HTML block that the line begins: a pattern, or null for a blank line; undefined when the line
// begins no HTML block. A tag of any other name begins one only where it cannot continue a paragraph.
export function htmlBlockEnd(content: string, inParagraph: boolean): RegExp | null | undefined {
  if (content[0] !== '<') return undefined;
  if (content.startsWith('<!--')) return /-->/;
  if (content.startsWith('<?')) return /\?>/;
  if (content.startsWith('<![CDATA[')) return /\]\]>/;
  if (/^<![a-z]/i.test(content)) return />/;
  const { close, name } = /^<(?<close>\/?)(?<name>[a-z][a-z0-9-]{0,20})(?=[\s/>]|$)/i.exec(content)?.groups ?? {};
  const tag = name?.toLowerCase();
  if (tag !== undefined && close === '' && RAW_TAGS.has(tag)) return /<\/(?:script|pre|style|textarea)>/i;
  if (tag !== undefined && BLOCK_TAGS.has(tag)) return null;
  return !inParagraph && WHOLE_TAG.test(content) ? null : undefined;
}

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
