// Characters that carry no meaning, and texts without them: control characters, emoji, and our own delimiters of code spans.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const CONTROL_EXCEPT_TAB_AND_LINE_FEED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g;

// Long text as it is stored: line feeds end lines, and tab is the only other control character left. Nearly every text is
// clean, which one search tells.
export function cleanLongText(text: string): string {
  if (text.search(CONTROL_EXCEPT_TAB_AND_LINE_FEED) < 0) return text;
  return text.replace(/\r\n?/g, '\n').replace(CONTROL_EXCEPT_TAB_AND_LINE_FEED, '');
}

// Characters that turn the reading direction of what follows: a name with them reads as another one.
const READING_DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

export function withoutDirections(text: string): string {
  return text.replace(READING_DIRECTION, '');
}

export function hasControlCharacter(text: string): boolean {
  return CONTROL.test(text);
}

// The `nameKey` of a name. It is folded here and not in SQL, so that both engines order and match names alike.
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

// At most `most` UTF-16 units, never half of a surrogate pair.
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const unit = text.charCodeAt(most - 1);
  return text.slice(0, unit >= 0xd800 && unit <= 0xdbff ? most - 1 : most);
}

// Whether a code unit is the first half of an emoji beyond the basic multilingual plane.
export function isSurrogate(code: number): boolean {
  return code >= 0xd83c && code <= 0xd83e;
}

// Emoji, their modifiers and zero-width characters. The private-use characters are delimiters that the readers of notes put
// into their texts themselves, so that no source can bring its own.
export function isDecoration(code: number): boolean {
  return (
    isSurrogate(code) ||
    (code >= 0x2600 && code <= 0x27bf) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x23e9 && code <= 0x23fa) ||
    (code >= 0xe000 && code <= 0xe003) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0x231a ||
    code === 0x231b ||
    code === 0x203c ||
    code === 0x2049 ||
    code === 0x2139 ||
    code === 0x2328 ||
    code === 0x23cf ||
    code === 0x2934 ||
    code === 0x2935 ||
    (code >= 0x2b05 && code <= 0x2b07) ||
    code === 0x2b50 ||
    code === 0x2b55 ||
    code === 0x2b1b ||
    code === 0x2b1c ||
    code === 0x20e3 ||
    code === 0x2060 ||
    code === 0xfeff
  );
}

const BEYOND_LATIN = /[\u2000-\uffff]/;
// `:sparkles:`. A colon inside a word, or beside another colon, belongs to a time, a path or an operator.
const EMOJI_CODE = /:(?<![\p{L}\p{N}_:]:)[a-z][a-z0-9_+-]{1,30}:(?![\p{L}\p{N}_:])/gu;

export function withoutEmojiCodes(text: string, replacement = ''): string {
  return text.includes(':') ? text.replace(EMOJI_CODE, replacement) : text;
}

// A text without its emoji, whether written as characters or as codes.
export function withoutEmoji(text: string): string {
  const plain = withoutEmojiCodes(text);
  if (!BEYOND_LATIN.test(plain)) return plain;
  let plainText = '';
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at);
    if (!isDecoration(code)) plainText += plain[at];
    else if (isSurrogate(code)) at += 1;
  }
  return plainText;
}

// Delimiters of code spans in texts whose markup has been removed: private-use characters, which no source can bring along
// because `inline` drops them.
export const CODE_OPEN = '\uE000';
export const CODE_CLOSE = '\uE001';

// The text without delimiters, as readers see it.
export function unmark(marked: string): string {
  if (!marked.includes(CODE_OPEN) && !marked.includes(CODE_CLOSE)) return marked;
  return marked.replace(/[\uE000\uE001]/g, '');
}

// The contents of the code spans of a text.
export function codeSpansOf(marked: string): string[] {
  const spans: string[] = [];
  for (let open = marked.indexOf(CODE_OPEN); open !== -1; open = marked.indexOf(CODE_OPEN, open + 1)) {
    const close = marked.indexOf(CODE_CLOSE, open);
    if (close === -1) break;
    const text = marked.slice(open + 1, close);
    if (text && !text.includes(CODE_OPEN)) spans.push(text);
  }
  return spans;
}

const MAX_TITLE = 500;

// A title of a stranger as one line.
export function titleLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE)
    .replace(/[\ud800-\udbff]$/, '');
}
