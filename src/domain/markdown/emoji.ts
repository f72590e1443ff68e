// Emoji and other characters that decorate a text without carrying meaning, and how they are removed.

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
