// Counts the tokens of a text, with a cache for short pieces.
import { tokenEnds } from './merge.ts';
import { bytePairRanks, byteRanks, byteString, MAX_TOKEN_BYTES, NO_RANK, rankOf } from './rank-table.ts';

// A direct-mapped cache of the counts of short pieces, because words recur and a lookup costs less than merging bytes. A slot
// holds the count, the length and the characters of a piece side by side: looking at one place of the memory is what a
// lookup costs.
const SLOTS = 1 << 16;
const MAX_KNOWN_LENGTH = 24;
const SLOT_UNITS = 32;
const known = new Uint16Array(SLOTS * SLOT_UNITS);

// The UTF-8 size from which tokens are estimated.
const EXACT_BELOW_BYTES = 262_144;
const CHARS_PER_TOKEN = 4;

// The exact number of tokens.
export function countTokens(text: string): number {
  return countRange(text);
}

// One token for every four characters, rounded up.
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

// Exact for texts under 256 KiB of UTF-8, else estimated.
export function textTokens(text: string): number {
  const exact = text.length < EXACT_BELOW_BYTES && Buffer.byteLength(text) < EXACT_BELOW_BYTES;
  return exact ? countTokens(text) : estimateTokens(text);
}

// Builds the tables that counting needs, which the first count would do otherwise.
export function loadVocabulary(): void {
  byteRanks();
  bytePairRanks();
}

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
  const least = Math.ceil((end - start) / MAX_TOKEN_BYTES);
  if (least > atMost) return least;
  if (end - start > MAX_KNOWN_LENGTH) return mergedTokens(text.slice(start, end));
  const slot = slotOf(text, start, end) * SLOT_UNITS;
  if (holds(slot, text, start, end)) return known[slot] as number;
  const tokens = mergedTokens(text.slice(start, end));
  known[slot] = tokens;
  known[slot + 1] = end - start;
  for (let at = start; at < end; at += 1) known[slot + 2 + at - start] = text.charCodeAt(at);
  return tokens;
}

function holds(slot: number, text: string, start: number, end: number): boolean {
  if (known[slot + 1] !== end - start) return false;
  for (let at = start; at < end; at += 1) if (known[slot + 2 + at - start] !== text.charCodeAt(at)) return false;
  return true;
}

function slotOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 16)) & (SLOTS - 1);
}

function mergedTokens(piece: string): number {
  const bytes = byteString(piece);
  if (bytes.length <= MAX_TOKEN_BYTES && rankOf(bytes) !== NO_RANK) return 1;
  return tokenEnds(bytes).length;
}

// Pre-tokenization: cl100k_base divides a text into pieces before it merges bytes, and no token spans two pieces. Its
// published pattern is
//   '(?i:[sdmt]|ll|ve|re) | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} | ' '?[^\s\p{L}\p{N}]+[\r\n]*
//   | \s+$ | \s*[\r\n] | \s+(?!\S) | \s
// It is implemented by hand, because a regular expression overflows its stack in a run of some million letters.

const SPACE = 0x20;
const APOSTROPHE = 0x27;

// The end of the piece that starts at `start`, for a text that ends at `end`.
export function pieceEnd(text: string, start: number, end: number): number {
  return plainWordEnd(text, start, end) ?? anyPieceEnd(text, start, end);
}

// Most pieces are a word of plain letters, perhaps with a space before it; null for any other.
function plainWordEnd(text: string, start: number, end: number): number | null {
  const first = text.charCodeAt(start) === SPACE ? start + 1 : start;
  let at = first;
  while (at < end && isPlainLetter(text.charCodeAt(at))) at += 1;
  return at > first && (at === end || text.charCodeAt(at) < 128) ? at : null;
}

function isPlainLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

function anyPieceEnd(text: string, start: number, end: number): number {
  const kind = kindAt(text, start);
  if (kind === LETTER) return skipKind(text, start, end, LETTER);
  if (kind === NUMBER) return threeNumbers(text, start, end);

  const unit = text.charCodeAt(start);
  if (unit === APOSTROPHE) {
    const contracted = contractionEnd(text, start, end);
    if (contracted > 0) return contracted;
  }
  const next = start + widthAt(text, start);
  const nextKind = next < end ? kindAt(text, next) : 0;
  if (kind !== NEWLINE && nextKind === LETTER) return skipKind(text, next, end, LETTER);
  if (kind === OTHER || (unit === SPACE && nextKind === OTHER)) {
    return skipKind(text, skipKind(text, next, end, OTHER), end, NEWLINE);
  }
  return whiteEnd(text, start, end);
}

// The end of the white space at `start`; `start` itself when there is none.
export function whiteRunEnd(text: string, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const kind = kindAt(text, at);
    if (kind !== BLANK && kind !== NEWLINE) break;
    at += 1;
  }
  return at;
}

function whiteEnd(text: string, start: number, end: number): number {
  const runEnd = whiteRunEnd(text, start, end);
  if (runEnd === end) return end;
  for (let at = runEnd; at > start; at -= 1) {
    if (kindAt(text, at - 1) === NEWLINE) return at;
  }
  // The last space belongs to the word behind it.
  return runEnd - start > 1 ? runEnd - 1 : runEnd;
}

function skipKind(text: string, start: number, end: number, kind: number): number {
  let at = start;
  while (at < end && kindAt(text, at) === kind) at += widthAt(text, at);
  return at;
}

function threeNumbers(text: string, start: number, end: number): number {
  let at = start;
  for (let taken = 0; taken < 3 && at < end && kindAt(text, at) === NUMBER; taken += 1) at += widthAt(text, at);
  return at;
}

function contractionEnd(text: string, start: number, end: number): number {
  const one = text.charAt(start + 1);
  // U+017F is the long s, which folds to s.
  if (start + 2 <= end && 'sdmtSDMT\u017f'.includes(one)) return start + 2;
  if (start + 3 > end) return 0;
  const two = text.slice(start + 1, start + 3).toLowerCase();
  return two === 'll' || two === 've' || two === 're' ? start + 3 : 0;
}

const LETTER = 1;
const NUMBER = 2;
const NEWLINE = 3;
const BLANK = 4;
const OTHER = 5;

// The kinds of characters by code point, filled on demand: 0 is not known yet. Most texts have a few hundred different ones.
const kinds = new Uint8Array(0x110000);

// The kind of the character that starts at `at`; halves of a broken surrogate pair are OTHER.
function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const code = unit >= 0xd800 && unit < 0xdc00 ? (text.codePointAt(at) as number) : unit;
  const known = kinds[code] as number;
  if (known !== 0) return known;
  const kind = classify(String.fromCodePoint(code));
  kinds[code] = kind;
  return kind;
}

// The UTF-16 units of the character at `at`: 2 for a surrogate pair, else 1.
export function widthAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit >= 0xdc00) return 1;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next < 0xe000 ? 2 : 1;
}

// The encoding defines white space by the property White_Space; \s includes U+FEFF and lacks U+0085.
function classify(char: string): number {
  if (/\p{L}/u.test(char)) return LETTER;
  if (/\p{N}/u.test(char)) return NUMBER;
  if (char === '\n' || char === '\r') return NEWLINE;
  return /\p{White_Space}/u.test(char) ? BLANK : OTHER;
}
