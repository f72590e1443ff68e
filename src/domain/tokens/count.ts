import { tokenEnds } from './merge.ts';
import { pieceEnd } from './pieces.ts';
import { byteString, LONGEST_TOKEN_BYTES, rankTable } from './rank-table.ts';

// A cache of counts of short pieces: words recur, and a lookup costs less than merging bytes. Pieces are compared in place
// without being cut out; two with the same slot replace each other, so that the cache never grows.
const SLOTS = 1 << 16;
const LONGEST_KNOWN = 24;
const pieces = new Array<string | null>(SLOTS).fill(null);
const counts = new Uint8Array(SLOTS);

interface CountedRange {
  start?: number;
  end?: number;
  atMost?: number;
}

// Tokens of text[start, end) taken as a text of its own. Stops as soon as the count is known to exceed `atMost`, and
// then returns some number above it.
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

// Tokens of one piece; above `atMost` any number above it, without merging a run that cannot fit.
export function pieceTokens(text: string, { start, end, atMost }: Required<CountedRange>): number {
  // Every single byte is a token.
  if (end - start === 1 && text.charCodeAt(start) < 128) return 1;
  const least = Math.ceil((end - start) / LONGEST_TOKEN_BYTES);
  if (least > atMost) return least;
  if (end - start > LONGEST_KNOWN) return readPiece(text.slice(start, end));
  const slot = slotOf(text, start, end);
  const known = pieces[slot];
  if (known && known.length === end - start && text.startsWith(known, start)) return counts[slot] as number;
  const piece = text.slice(start, end);
  const tokens = readPiece(piece);
  // Copied, because a slice would hold the whole text in memory.
  pieces[slot] = Buffer.from(piece, 'utf16le').toString('utf16le');
  counts[slot] = tokens;
  return tokens;
}

function slotOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 16)) & (SLOTS - 1);
}

function readPiece(piece: string): number {
  const bytes = byteString(piece);
  if (bytes.length <= LONGEST_TOKEN_BYTES && rankTable().has(bytes)) return 1;
  return tokenEnds(bytes).length;
}
