// The longest prefix of a text within a budget of tokens, never ending inside a surrogate pair. Adding a character can lower
// the count ("internationa" needs more tokens than "international"), so that ends beyond the last token of the budget are
// tried as well.
import { pieceEnd, pieceTokens, whiteRunEnd, widthAt } from './count.ts';
import { tokenEnds } from './merge.ts';
import { byteString, MAX_TOKEN_BYTES } from './rank-table.ts';

// How many bytes around the last token of the budget other ends are tried.
const REACH = 2 * MAX_TOKEN_BYTES;
// A piece of more characters is not merged as a whole before it is known to fit.
const LONG_PIECE = 1000;

type Prefix = { end: number; tokens: number };

// The end and the tokens of the longest prefix of text[start, end) with at most `budget` tokens.
export function longestPrefix(text: string, input: { start?: number; end?: number; budget: number }): Prefix {
  const { start = 0, end = text.length, budget } = input;
  let count = 0;
  // White space before a word is several pieces, but a single one at the end of a text.
  let white = { start, end: whiteRunEnd(text, start, end), count: 0 };
  for (let at = start; at < end; ) {
    if (at > white.end) white = { start: at, end: whiteRunEnd(text, at, end), count };
    const next = pieceEnd(text, at, end);
    const piece = fittingPart(text, at, next, budget - count);
    if (piece.end < next) {
      if (piece.end > white.end || white.end === white.start) return { end: piece.end, tokens: count + piece.tokens };
      const blank = prefixOfPiece(text, white.start, white.end, budget - white.count);
      return { end: blank.end, tokens: white.count + blank.tokens };
    }
    count += piece.tokens;
    at = next;
  }
  return { end, tokens: count };
}

function fittingPart(text: string, start: number, end: number, budget: number): Prefix {
  if (end - start <= LONG_PIECE) {
    const tokens = pieceTokens(text, { start, end, atMost: budget });
    if (tokens <= budget) return { end, tokens };
  }
  return prefixOfPiece(text, start, end, budget);
}

// The longest prefix of the piece text[start, end) with at most `budget` tokens.
function prefixOfPiece(text: string, start: number, end: number, budget: number): Prefix {
  if (budget <= 0) return { end: start, tokens: 0 };
  // A long piece is merged in growing parts, so that the cost depends on the budget.
  for (let size = LONG_PIECE + 4 * budget; ; size *= 4) {
    const whole = end - start <= size;
    const part = whole ? text.slice(start, end) : text.slice(start, start + size);
    const bytes = byteString(part);
    const ends = tokenEnds(bytes);
    if (whole && ends.length <= budget) return { end, tokens: ends.length };
    if (whole || (ends[budget] ?? bytes.length) + REACH < bytes.length) {
      const cut = cutNear(part, bytes, ends, budget);
      return { end: start + cut.end, tokens: cut.tokens };
    }
  }
}

// The longest prefix with at most `budget` tokens among those that end near the end of token number `budget`.
function cutNear(part: string, bytes: string, ends: number[], budget: number): Prefix {
  const near = ends[budget - 1] as number;
  for (const { char, byte } of offsetsBetween(part, near - REACH, near + REACH).reverse()) {
    const tokens = countPrefix(bytes, ends, byte);
    if (tokens <= budget) return { end: char, tokens };
  }
  return { end: 0, tokens: 0 };
}

// The character boundaries whose byte offset is within the bounds.
function offsetsBetween(part: string, low: number, high: number): { char: number; byte: number }[] {
  const offsets: { char: number; byte: number }[] = [];
  let byte = 0;
  for (let char = 0; char < part.length && byte <= high; ) {
    if (byte >= low) offsets.push({ char, byte });
    const width = widthAt(part, char);
    byte += width === 2 ? 4 : utf8Size(part.charCodeAt(char));
    char += width;
  }
  return offsets;
}

function utf8Size(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}

// The tokens of the first `byte` bytes of a piece whose tokens end at `ends`. Only the last tokens are merged again: a
// sequence of tokens is the encoding of its text exactly when every two neighbours are, so that all tokens before one that
// both encodings share are the same.
function countPrefix(bytes: string, ends: number[], byte: number): number {
  if (byte === 0) return 0;
  const last = firstAbove(ends, byte);
  for (let back = 8; ; back *= 2) {
    const anchor = Math.max(0, last - back);
    const from = anchor === 0 ? 0 : (ends[anchor - 1] as number);
    const local = tokenEnds(bytes.slice(from, byte));
    if (anchor === 0 || from + (local[0] as number) === ends[anchor]) return anchor + local.length;
  }
}

// The index of the first token that ends beyond `byte`.
function firstAbove(ends: number[], byte: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) <= byte) low = middle + 1;
    else high = middle;
  }
  return low;
}
