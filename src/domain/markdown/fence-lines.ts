// Finds every line that may open or close a code fence, with what decides about it: its container and its indentation.
import { adorns, codeFence, listMarkerEnd } from './line-syntax.ts';
import type { TextRange } from './offsets.ts';

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

export function fenceLines(text: string): FenceLine[] {
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
