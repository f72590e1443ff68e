// Counts the tokens of a text, with a cache for short pieces.
import { tokenEnds } from './merge.ts';
import { pieceEnd } from './pieces.ts';
import { byteString, LONGEST_TOKEN_BYTES, rankTable } from './rank-table.ts';

// A direct-mapped cache of the counts of short pieces, because words recur and a lookup costs less than merging bytes.
// Pieces are compared in place, without allocating a slice.
const SLOTS = 1 << 16;
const LONGEST_KNOWN = 24;
const pieces = new Array<string | null>(SLOTS).fill(null);
const counts = new Uint8Array(SLOTS);

interface CountedRange {
  start?: number;
  end?: number;
  atMost?: number;
}

// The tokens of text[start, end) as a text of its own. As soon as the count is known to exceed `atMost`, some number above it
// is returned.
export function countRange(text: string, range: CountedRange = {}): number {
  const { start = 0, end = text.length, atMost = Number.POSITIVE_INFINITY } = range;
  let count = 0;
  for (let at = start; at < end; ) {
    const next = pieceEnd(text, at, end);
    count += pieceTokens(text, { start: at, end: next, atMost: atMost - count });
    if (count > atMost) return count;
    at = next;
  }
  return count;
}

// The tokens of one piece, or any number above `atMost`. A piece that cannot fit is not merged.
export function pieceTokens(text: string, { start, end, atMost }: Required<CountedRange>): number {
  // Every byte is a token.
  if (end - start === 1 && text.charCodeAt(start) < 128) return 1;
  const least = Math.ceil((end - start) / LONGEST_TOKEN_BYTES);
  if (least > atMost) return least;
  if (end - start > LONGEST_KNOWN) return mergedTokens(text.slice(start, end));
  const slot = slotOf(text, start, end);
  const known = pieces[slot];
  if (known && known.length === end - start && text.startsWith(known, start)) return counts[slot] as number;
  const piece = text.slice(start, end);
  const tokens = mergedTokens(piece);
  // A slice would keep the whole text in memory, so that the piece is copied.
  pieces[slot] = Buffer.from(piece, 'utf16le').toString('utf16le');
  counts[slot] = tokens;
  return tokens;
}

function slotOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 16)) & (SLOTS - 1);
}

function mergedTokens(piece: string): number {
  const bytes = byteString(piece);
  if (bytes.length <= LONGEST_TOKEN_BYTES && rankTable().has(bytes)) return 1;
  return tokenEnds(bytes).length;
}
