// The heading index of a changelog file: where slices may begin and end, and what chunks are named after.

import { fencedRanges } from './fences.ts';
import { splitsPair } from './offsets.ts';

export type Heading = { offset: number; level: 1 | 2 | 3; text: string };

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
  let fence = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    while (fence < fences.length && (fences[fence]?.end as number) <= start) fence += 1;
    const fenced = fence < fences.length && (fences[fence]?.start as number) <= start;
    const heading = fenced ? undefined : readHeading(text, start, end);
    if (heading) headings.push(heading);
    start = end + 1;
  }
  return headings;
}

function readHeading(text: string, start: number, end: number): Heading | undefined {
  let marks = start;
  while (marks < start + 3 && text.charAt(marks) === ' ') marks += 1;
  let at = marks;
  while (text.charAt(at) === '#') {
    at += 1;
    if (at - marks > 3) return undefined;
  }
  const level = at - marks;
  if (level === 0 || (at < end && !' \t\r'.includes(text.charAt(at)))) return undefined;
  return { offset: start, level: level as Heading['level'], text: titleOf(text.slice(at, end)) };
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
