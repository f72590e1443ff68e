// Stored form of exact terms. No tokenizer splits or stems it: marks are private-use characters, and one closes it.
const MARKS = 0xe000;
const CLOSE = '\ue0ff';
// Without it a note that says `kind:sdk` would pass as a release of that kind.
const SCOPE = '\ue0fe';
const ASCII_MARK = /[!-/:-@[-`{-~]/g;

export function encodeToken(token: string): string {
  return token.replace(ASCII_MARK, (mark) => String.fromCharCode(MARKS + mark.charCodeAt(0))) + CLOSE;
}

export function encodeScope(term: string): string {
  return SCOPE + encodeToken(term.toLowerCase());
}
