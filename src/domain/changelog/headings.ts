// The heading index of a changelog file: where slices may begin and end, and what chunks are named after.

import { fencedRanges } from '../markdown/fences.ts';
import { headingsOf } from '../markdown/headings.ts';
import { splitsPair } from '../markdown/offsets.ts';

export type IndexedHeading = { offset: number; level: 1 | 2 | 3; text: string };

const DEEPEST_LEVEL = 3;

// A title longer than this is cut: every chunk of its section carries it.
const LONGEST_TITLE = 200;

// Offsets of the heading lines of levels 1–3 that stand outside fenced code.
export function headingOffsets(text: string): number[] {
  return headingIndex(text).map((heading) => heading.offset);
}

// The same headings with level and title.
export function headingIndex(text: string): IndexedHeading[] {
  const headings: IndexedHeading[] = [];
  for (const { offset, level, spaced, text: title } of headingsOf(text, fencedRanges(text))) {
    if (spaced && level <= DEEPEST_LEVEL)
      headings.push({ offset, level: level as IndexedHeading['level'], text: truncate(title) });
  }
  return headings;
}

function truncate(title: string): string {
  if (title.length <= LONGEST_TITLE) return title;
  return title.slice(0, splitsPair(title, LONGEST_TITLE) ? LONGEST_TITLE - 1 : LONGEST_TITLE).trimEnd();
}
