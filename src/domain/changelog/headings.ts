// The heading index of a changelog file: where slices may begin and end, and what chunks are named after.

import { fencedRanges } from '../markdown/fences.ts';
import { splitsPair } from '../markdown/offsets.ts';

export type Heading = { offset: number; level: 1 | 2 | 3; text: string };

const HASH = 0x23;
const SPACE = 0x20;

/** A title longer than this is cut: every chunk of its section carries it. */
const LONGEST_TITLE = 200;

/** Offsets of the heading lines of levels 1–3 that stand outside fenced code. */
export function headingOffsets(text: string): number[] {
  return headingIndex(text).map((heading) => heading.offset);
}

/** The same headings with level and title. */
export function headingIndex(text: string): Heading[] {
  const fences = fencedRanges(text);
  const headings: Heading[] = [];
  let next = 0;
  for (let start = 0; start < text.length; ) {
    const fence = fences[next];
    if (fence && fence.start <= start) {
      start = fence.end;
      next += 1;
      continue;
    }
    const heading = readHeading(text, start);
    if (heading) headings.push(heading);
    const newline = text.indexOf('\n', start);
    start = newline < 0 ? text.length : newline + 1;
  }
  return headings;
}

function readHeading(text: string, start: number): Heading | undefined {
  let marks = start;
  while (marks < start + 3 && text.charCodeAt(marks) === SPACE) marks += 1;
  let at = marks;
  while (at - marks < 4 && text.charCodeAt(at) === HASH) at += 1;
  const level = at - marks;
  if (level < 1 || level > 3 || !' \t\r\n'.includes(text.charAt(at))) return undefined;
  const newline = text.indexOf('\n', at);
  const title = titleOf(text.slice(at, newline < 0 ? text.length : newline));
  return { offset: start, level: level as Heading['level'], text: title };
}

/** The title without its optional closing marks. */
function titleOf(line: string): string {
  const title = line.trim();
  let end = title.length;
  while (end > 0 && title.charAt(end - 1) === '#') end -= 1;
  const closed = end < title.length && (end === 0 || ' \t'.includes(title.charAt(end - 1)));
  return truncate(closed ? title.slice(0, end).trimEnd() : title);
}

function truncate(title: string): string {
  if (title.length <= LONGEST_TITLE) return title;
  return title.slice(0, splitsPair(title, LONGEST_TITLE) ? LONGEST_TITLE - 1 : LONGEST_TITLE).trimEnd();
}
