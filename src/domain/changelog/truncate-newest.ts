import { firstAtOrAfter, lastWithin, splitsPair } from '../markdown/offsets.ts';
import { headingIndex, isOldestFirst } from './headings.ts';

export const MAX_CHANGELOG_BYTES = 4 * 1024 * 1024;

// `truncatedAt` is the offset of the cut in the original text, null when nothing was cut.
type TruncatedChangelog = { content: string; truncatedAt: number | null };

// The newest part of a file that is too large: its beginning, or its end when it runs from old to new. The cut is at a
// heading; where no heading leaves a part that fits, at a line, and inside one endless line between characters.
export function truncateToNewest(text: string, maxBytes: number = MAX_CHANGELOG_BYTES): TruncatedChangelog {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return { content: text, truncatedAt: null };

  const headings = headingIndex(text);
  const offsets = headings.map((heading) => heading.offset);
  if (isOldestFirst(headings)) {
    const earliest = charsWithin(text, bytes - maxBytes, 'least');
    const cut = offsets[firstAtOrAfter(offsets, earliest)] ?? lineStartAfter(text, earliest);
    return { content: text.slice(cut), truncatedAt: cut };
  }
  const latest = charsWithin(text, maxBytes, 'most');
  const cut = lastWithin(offsets, 0, latest) ?? lineStartBefore(text, latest);
  return { content: text.slice(0, cut), truncatedAt: cut };
}

// The longest beginning of at most, or the shortest of at least, so many bytes; whole characters only.
function charsWithin(text: string, bytes: number, bound: 'most' | 'least'): number {
  const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  if (bound === 'most' || written === bytes) return read;
  return splitsPair(text, read + 1) ? read + 2 : read + 1;
}

function lineStartAfter(text: string, at: number): number {
  const start = text.indexOf('\n', at - 1) + 1;
  return start > 0 && start < text.length ? start : at;
}

function lineStartBefore(text: string, at: number): number {
  const start = at > 0 ? text.lastIndexOf('\n', at - 1) + 1 : 0;
  return start > 0 ? start : at;
}
