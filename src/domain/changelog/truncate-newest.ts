// Cuts changelog files that are too large, so that their newest part remains.
import { firstAtOrAfter, lastWithin, splitsPair } from '../markdown/offsets.ts';
import { headingIndex, isOldestFirst } from './headings.ts';

export const MAX_CHANGELOG_BYTES = 4 * 1024 * 1024;

// `truncatedAt` is the offset of the cut in the original text, null when nothing was cut.
type TruncatedChangelog = { content: string; truncatedAt: number | null };

// The newest part is the beginning of the file, or its end when the file is in rising order. The cut is at a heading,
// else at a line, else between two characters.
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

// The length of the longest prefix of at most `bytes` bytes, or of the shortest of at least `bytes`, in whole characters.
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
