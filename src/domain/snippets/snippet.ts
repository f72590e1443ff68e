// Snippets: the text of notes that they are cut from, and the part of a text that shows best why it was found, as plain text with
// ranges to highlight.
import { CODE_OPEN, unmark } from '../clean-text.ts';
import { splitsPair } from '../markdown/offsets.ts';
import { scanBlocks } from '../notes/blocks.ts';
import { tidyInline } from '../notes/clean-item.ts';
import { inline } from '../notes/inline.ts';
import type { NoteBlock } from '../notes/markdown-lines.ts';
import type { Matcher, TextMatch } from './matcher.ts';

// [start, end) in UTF-16 units.
export type HighlightSpan = [start: number, end: number];

interface Snippet {
  snippet: string;
  highlights: HighlightSpan[];
}

export const SNIPPET_LENGTH = 240;

const ELLIPSIS = '…';
// The most characters before the first match.
const LEAD = 60;
const MAX_SPANS = 100;

// The snippet of the first text with a match, else the beginning of the first text that is not empty.
export function snippetOf(texts: readonly string[], matcher: Matcher, length = SNIPPET_LENGTH): Snippet {
  for (const text of texts) {
    const matches = matcher(text);
    if (matches.length > 0) return cutOut(text, matches, length);
  }
  return cutOut(texts.find((text) => text !== '') ?? '', [], length);
}

export function highlightsOf(text: string, matcher: Matcher): HighlightSpan[] {
  return spansOf(matcher(text));
}

function cutOut(text: string, matches: readonly TextMatch[], length: number): Snippet {
  if (text.length <= length) return { snippet: text, highlights: spansOf(matches) };
  const room = length - 2 * ELLIPSIS.length;
  const [first, last] = densest(matches, room);
  const { from, to } = bounds(text, room, { first, last });
  const lead = from > 0 ? ELLIPSIS : '';
  const shift = lead.length - from;
  const inside = matches.filter(({ start, end }) => start >= from && end <= to);
  return {
    snippet: `${lead}${text.slice(from, to)}${to < text.length ? ELLIPSIS : ''}`,
    highlights: spansOf(inside).map(([start, end]): HighlightSpan => [start + shift, end + shift]),
  };
}

// The range of matches that fits into the snippet and covers most groups of the query; among equals the one with most
// matches, then the earliest.
function densest(matches: readonly TextMatch[], room: number): [start: number, end: number] {
  let best: [number, number] = [0, 0];
  let bestScore = -1;
  const counts = new Map<number, number>();
  let last = -1;
  for (const [index, { start, group }] of matches.entries()) {
    for (let next = matches[last + 1]; next && next.end - start <= room; next = matches[last + 1]) {
      counts.set(next.group, (counts.get(next.group) ?? 0) + 1);
      last += 1;
    }
    const score = counts.size * matches.length + (last - index);
    if (score > bestScore && last >= index) {
      bestScore = score;
      best = [start, matches[last]?.end ?? start];
    }
    const left = (counts.get(group) ?? 0) - 1;
    if (left > 0) counts.set(group, left);
    else counts.delete(group);
    if (last < index) last = index;
  }
  return best;
}

// Where the snippet begins and ends: around the matches, with context, at whole words where possible.
function bounds(
  text: string,
  room: number,
  { first, last }: { first: number; last: number },
): { from: number; to: number } {
  const spare = Math.max(0, room - (last - first));
  let from = Math.max(0, Math.min(first - Math.min(LEAD, Math.floor(spare / 2)), text.length - room));
  let to = Math.min(text.length, from + room);
  if (from > 0) from = wordStart(text, from, first);
  if (to < text.length) to = wordEnd(text, to, Math.max(last, from + 1));
  return { from, to };
}

// The first start of a word before the match; the position itself when there is none.
function wordStart(text: string, from: number, first: number): number {
  for (let at = from; at <= first && at < text.length; at += 1) {
    if (isBlank(text, at - 1) && !isBlank(text, at)) return at;
  }
  return splitsPair(text, from) ? from + 1 : from;
}

// The last end of a word behind the match; the position itself when there is none.
function wordEnd(text: string, to: number, last: number): number {
  for (let at = to; at >= last; at -= 1) {
    if (isBlank(text, at) && !isBlank(text, at - 1)) return at;
  }
  return splitsPair(text, to) ? to - 1 : to;
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 0x20 || code === 0xa0;
}

// Matches that touch or overlap are highlighted as one.
function spansOf(matches: readonly TextMatch[]): HighlightSpan[] {
  const spans: HighlightSpan[] = [];
  for (const { start, end } of matches) {
    const last = spans.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else spans.push([start, end]);
  }
  return spans.slice(0, MAX_SPANS);
}

// The text of notes that snippets are cut from: entries apart from each other, and a heading only where it adds to them.
// Code spans stay between CODE_OPEN and CODE_CLOSE where they are wanted.

// What is left of references and pictures without a text.
const EMPTY = /(?:^| )(?:\(\s*\)|\[\s*\](?!\())/g;
const HEADING_MARKS = /^#{1,6}\s+|\s+#+$/g;
const SAME_BEGINNING = 3;

interface SnippetPart {
  text: string;
  kind: NoteBlock['kind'];
}

export function snippetText(markdown: string, maxChars: number, { marks = false } = {}): string {
  const parts: SnippetPart[] = [];
  let length = 0;
  for (const block of scanBlocks(markdown)) {
    if (block.kind === 'code' || block.kind === 'close') continue;
    const text = blockText(block, markdown.slice(block.start, block.end), marks);
    if (text === '') continue;
    parts.push({ text, kind: block.kind });
    length += text.length + 2;
    if (length > maxChars) break;
  }
  return parts
    .map((part, index) => joined(part, parts[index + 1]))
    .join('')
    .trimEnd();
}

// With marks the text is for people, who need no references and credits.
function blockText({ kind }: NoteBlock, raw: string, marks: boolean): string {
  const source = kind === 'table' ? (/^[\s|:-]*$/.test(raw) ? '' : raw.replaceAll('|', ' ')) : raw;
  const bare = source.replaceAll(HEADING_MARKS, '');
  return (marks ? tidyInline(bare) : unmark(inline(bare))).replaceAll(EMPTY, '').trim();
}

function joined({ text, kind }: SnippetPart, next: SnippetPart | undefined): string {
  if (next === undefined) return kind === 'heading' ? '' : text;
  if (kind === 'heading') return repeats(text, next.text) ? '' : `${text.replace(/:$/, '')}: `;
  const isOpen = /[\p{L}\p{N})\]"\u{E001}]$/u.test(text);
  return `${text}${isOpen && next.kind !== 'text' ? ';' : isOpen ? '.' : ''} `;
}

// "Fixed" above "Fixed a crash" and "Fixes" above "fix a crash" say it twice.
function repeats(heading: string, text: string): boolean {
  const [said, ...others] =
    unmark(heading)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const first =
    unmark(text)
      .toLowerCase()
      .match(/\p{L}+/u)?.[0] ?? '';
  return (
    said !== undefined &&
    others.length === 0 &&
    first.startsWith(said.slice(0, SAME_BEGINNING)) &&
    !text.startsWith(CODE_OPEN)
  );
}
