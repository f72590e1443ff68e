// Counts the text of a changelog that is in no entry, so that callers can report how much of a file was not read.
import { COMMENT, type DocumentLines } from './document-lines.ts';
import { firstTextLine } from './read-headings.ts';
import type { OutsideText, RankedHeading } from './types.ts';

export const NOTHING_OUTSIDE: Readonly<OutsideText> = { before: 0, unreleased: 0, groups: 0, after: 0, unread: 0 };

export function outsideTotal(outside: Readonly<OutsideText>): number {
  return Object.values(outside).reduce((sum, characters) => sum + characters, 0);
}

export function addOutside(a: Readonly<OutsideText>, b: Readonly<OutsideText>): OutsideText {
  return {
    before: a.before + b.before,
    unreleased: a.unreleased + b.unreleased,
    groups: a.groups + b.groups,
    after: a.after + b.after,
    unread: a.unread + b.unread,
  };
}

export const ANCHOR = /^\s*<a\s+(?:name|id)\s*=\s*["']?[^"'<>]*["']?\s*\/?>(?:\s*<\/a>)?\s*$/i;

// The number of characters of a line that carry information. Blank lines, thematic breaks, underlines and anchors have
// none.
export function textLength(line: string): number {
  return /[\p{L}\p{N}]/u.test(line) && !ANCHOR.test(line.slice(0, 300)) ? line.trim().length : 0;
}

interface CutDocument {
  headings: readonly RankedHeading[];
  // For each entry the line behind its text, by the index of its heading.
  ends: ReadonlyMap<number, number>;
  // Lines with link reference definitions, whose destinations are in the entries.
  definitions: ReadonlySet<number>;
}

export function outsideText(document: DocumentLines, { headings, ends, definitions }: CutDocument): OutsideText {
  const outside: OutsideText = { ...NOTHING_OUTSIDE };
  const title = headings.find(({ kind, first }) => kind === 'heading' && first === firstTextLine(document, 0));
  let kind: keyof OutsideText = ends.size === 0 ? 'unread' : 'before';
  let at = 0;
  const countUntil = (end: number) => {
    for (; at < end; at++) {
      const isTitle = title?.role === 'section' && at >= title.first && at < title.next;
      if (isTitle || document.states[at] === COMMENT || definitions.has(at)) continue;
      outside[kind] += textLength(document.lines[at] ?? '');
    }
  };
  for (const [index, { role, first, next }] of headings.entries()) {
    if (role !== 'entry' && role !== 'unreleased' && role !== 'group') continue;
    countUntil(first);
    at = Math.max(at, ends.get(index) ?? next);
    if (role === 'entry') kind = 'after';
    else if (role === 'unreleased') kind = 'unreleased';
    else kind = ends.size === 0 ? 'unread' : 'groups';
  }
  countUntil(document.lines.length);
  return outside;
}
