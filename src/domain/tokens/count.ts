import { tokenEnds } from './merge.ts';
import { pieceEnd } from './pieces.ts';
import { byteString, LONGEST_TOKEN_BYTES, rankTable } from './rank-table.ts';

/** Counts of short pieces that are no token: names and addresses recur, and merging costs more than looking up. */
const merged = new Map<string, number>();
const MERGED_KEPT = 20_000;

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
  const least = Math.ceil((end - start) / LONGEST_TOKEN_BYTES);
  if (least > atMost) return least;
  const bytes = byteString(text.slice(start, end));
  if (bytes.length > LONGEST_TOKEN_BYTES) return tokenEnds(bytes).length;
  if (rankTable().has(bytes)) return 1;
  const known = merged.get(bytes);
  if (known !== undefined) return known;
  const tokens = tokenEnds(bytes).length;
  // Emptied when full, so that hostile text cannot make it grow.
  if (merged.size >= MERGED_KEPT) merged.clear();
  // A copy: the slice would keep the whole text that it was cut from.
  merged.set(Buffer.from(bytes, 'latin1').toString('latin1'), tokens);
  return tokens;
}
