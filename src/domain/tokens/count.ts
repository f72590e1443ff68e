import { tokenEnds } from './merge.ts';
import { pieceEnd } from './pieces.ts';
import { byteString, LONGEST_TOKEN_BYTES, rankTable } from './rank-table.ts';

/** Counts of short pieces: words recur, and one look-up costs less than reading a piece byte by byte. */
const known = new Map<string, number>();
const KNOWN_PIECES = 50_000;
const LONGEST_KNOWN = 24;

/**
 * Tokens of text[start, end) taken as a text of its own. Stops as soon as the count is known to exceed `atMost`, and
 * then returns some number above it.
 */
export function countRange(text: string, start: number, end: number, atMost = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (let at = start; at < end; ) {
    const next = pieceEnd(text, at, end);
    count += pieceTokens(text, at, next, atMost - count);
    if (count > atMost) return count;
    at = next;
  }
  return count;
}

/** Tokens of one piece; above `atMost` any number above it, without merging a run that cannot fit. */
export function pieceTokens(text: string, start: number, end: number, atMost: number): number {
  // Every single byte is a token.
  if (end - start === 1 && text.charCodeAt(start) < 128) return 1;
  const least = Math.ceil((end - start) / LONGEST_TOKEN_BYTES);
  if (least > atMost) return least;
  const piece = text.slice(start, end);
  if (piece.length > LONGEST_KNOWN) return readPiece(piece);
  const count = known.get(piece);
  if (count !== undefined) return count;
  const tokens = readPiece(piece);
  // Emptied when full, so that hostile text cannot make it grow.
  if (known.size >= KNOWN_PIECES) known.clear();
  // A copy: the slice would keep the whole text that it was cut from.
  known.set(Buffer.from(piece, 'utf16le').toString('utf16le'), tokens);
  return tokens;
}

function readPiece(piece: string): number {
  const bytes = byteString(piece);
  if (bytes.length <= LONGEST_TOKEN_BYTES && rankTable().has(bytes)) return 1;
  return tokenEnds(bytes).length;
}
