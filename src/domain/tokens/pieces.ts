// cl100k_base cuts a text into pieces before it merges bytes; tokens never cross a piece. Its published pattern is
//   '(?i:[sdmt]|ll|ve|re) | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} | ' '?[^\s\p{L}\p{N}]+[\r\n]*
//   | \s+$ | \s*[\r\n] | \s+(?!\S) | \s
// Read by hand because a regular expression overflows its stack inside one run of some million letters.

import { BLANK, kindAt, LETTER, NEWLINE, NUMBER, OTHER, widthAt } from './char-kind.ts';

const SPACE = 0x20;
const APOSTROPHE = 0x27;

// End of the piece that starts at `start`, for a text that ends at `end`.
export function pieceEnd(text: string, start: number, end: number): number {
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

// End of the white space that holds `start`; `start` itself when there is none.
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
  // The last blank is left to the word behind it.
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
