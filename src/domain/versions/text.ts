// Longer texts are no version; the limit bounds the work that a hostile tag can cause.
export const MAX_VERSION_LENGTH = 200;

const PLACEHOLDERS = new Set(['', 'unknown', 'none', 'n/a', 'null', 'undefined', '-']);

// The text without surrounding space and git's tag path.
export function withoutTagRef(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('refs/tags/') ? trimmed.slice('refs/tags/'.length).trim() : trimmed;
}

// The text without a closing `(…)`; a text that is nothing but a parenthesis stays as it is.
export function withoutClosingParenthesis(text: string): string {
  if (!text.endsWith(')')) return text;
  let depth = 0;
  for (let at = text.length - 1; at > 0; at--) {
    if (text[at] === ')') depth++;
    else if (text[at] === '(') depth--;
    if (depth === 0) return text.slice(0, at).trimEnd();
  }
  return text;
}

// True for texts that stand for "no version" and are stored as null, the empty one included.
export function isPlaceholderVersion(text: string): boolean {
  const word = withoutClosingParenthesis(withoutTagRef(text)).toLowerCase();
  if (PLACEHOLDERS.has(word)) return true;
  return word.startsWith('<') && word.endsWith('>') && PLACEHOLDERS.has(word.slice(1, -1).trim());
}
