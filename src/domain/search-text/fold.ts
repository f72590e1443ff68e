// Text as both engines index it. Text is folded here and not by each engine, so that both find the same documents.
const NON_ASCII = /[^\x00-\x7f]/;
// Anything beyond ASCII but the marks, arrows and pictures that notes are full of, which folding leaves as they are, and the
// ellipsis, with which long titles end.
const FOLDED =
  /[^\x00-\x7f\u00ab\u00b7\u00bb\u00d7\u2010\u2012-\u2016\u2018-\u2023\u2026\u2190-\u2199\u{1f300}-\u{1faff}]/u;
const PRIVATE_USE = /\p{Co}+/gu;
const ACCENTS = /[\u0300-\u036f]+/g;
// Includes the vowel signs of New Tai Lue and two Vedic signs, which FTS5 does not count as letters.
const OTHER_MARKS = /[\p{M}\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3]+/gu;
const ASCII_WORD = /[a-z0-9]+/g;
const WORD = /[\p{L}\p{N}]+/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu;

// Private-use characters mark our own terms in the index, so no text may contain them.
export function stripPrivateUse(text: string): string {
  return NON_ASCII.test(text) ? text.replace(PRIVATE_USE, '') : text;
}

// Lower case, compatibility forms resolved, no accents, no private-use characters.
export function foldText(text: string): string {
  if (!FOLDED.test(text)) return text.toLowerCase().replaceAll('\u2026', '...');
  const lower = stripPrivateUse(text).normalize('NFKD').toLowerCase();
  // The text is composed again before other marks are removed, because the voicing mark of a kana is no accent.
  const composed = lower.replace(ACCENTS, '').normalize('NFC');
  return composed.replace(OTHER_MARKS, '').replaceAll('\u03c2', '\u03c3');
}

// Folded text without characters on which the engines disagree: beyond ASCII only letters and digits are left.
export function wordText(folded: string): string {
  return NON_ASCII.test(folded) ? folded.replace(BETWEEN_WORDS, ' ') : folded;
}

// The words of folded text.
export function wordsOf(folded: string): string[] {
  return folded.match(NON_ASCII.test(folded) ? WORD : ASCII_WORD) ?? [];
}
