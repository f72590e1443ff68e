/** First half of a character beyond the basic plane that is an emoji. */
export function isSurrogate(code: number): boolean {
  return code >= 0xd83c && code <= 0xd83e;
}

/** Emoji, their modifiers, zero-width characters and our own marks. */
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
    code === 0x2b50 ||
    code === 0x2b55 ||
    code === 0x2b1b ||
    code === 0x2b1c ||
    code === 0x20e3 ||
    code === 0x2060 ||
    code === 0xfeff
  );
}
