// The five kinds of character that cl100k_base tells apart when it cuts text into pieces.

export const LETTER = 1;
export const NUMBER = 2;
export const NEWLINE = 3;
export const BLANK = 4;
export const OTHER = 5;

// Filled as characters are met: 0 is "not asked yet". Most texts touch a few hundred of its cells.
const kinds = new Uint8Array(0x10000);

// The kind of the character that starts at `at`; halves of a broken surrogate pair are OTHER.
export function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit < 0xdc00) return classify(String.fromCodePoint(text.codePointAt(at) as number));
  const known = kinds[unit] as number;
  if (known !== 0) return known;
  const kind = classify(String.fromCharCode(unit));
  kinds[unit] = kind;
  return kind;
}

// Units taken by the character at `at`: 2 for a whole surrogate pair, else 1.
export function widthAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit >= 0xdc00) return 1;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next < 0xe000 ? 2 : 1;
}

// White_Space and not \s: the latter also holds U+FEFF and lacks U+0085, unlike the encoding's own definition.
function classify(char: string): number {
  if (/\p{L}/u.test(char)) return LETTER;
  if (/\p{N}/u.test(char)) return NUMBER;
  if (char === '\n' || char === '\r') return NEWLINE;
  return /\p{White_Space}/u.test(char) ? BLANK : OTHER;
}
