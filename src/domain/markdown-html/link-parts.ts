// The parts of a link: its label, its address and its title. Each is read once from left to right.

interface Part {
  text: string;
  end: number;
}

const MAX_LABEL = 999;
const MAX_PARENTHESES = 32;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

// `[…]` without brackets inside; the key is what labels are compared by.
export function readLabel(text: string, start: number): { key: string; end: number } | null {
  if (text[start] !== '[') return null;
  const last = Math.min(text.length, start + MAX_LABEL + 2);
  for (let at = start + 1; at < last; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '[') return null;
    else if (character === ']') return { key: labelKey(text.slice(start + 1, at)), end: at + 1 };
  }
  return null;
}

export function labelKey(label: string): string {
  return label.trim().split(/\s+/).join(' ').toLowerCase().toUpperCase();
}

export function readLinkAddress(text: string, start: number): Part | null {
  return text[start] === '<' ? readBracketed(text, start) : readBare(text, start);
}

function readBracketed(text: string, start: number): Part | null {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '\n' || character === '<') return null;
    else if (character === '>') return { text: unescaped(text.slice(start + 1, at)), end: at + 1 };
  }
  return null;
}

function readBare(text: string, start: number): Part | null {
  let open = 0;
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c && isPunctuation(text.charCodeAt(at + 1))) at += 1;
    else if (code === 0x28) {
      open += 1;
      if (open > MAX_PARENTHESES) return null;
    } else if (code === 0x29) {
      if (open === 0) break;
      open -= 1;
    } else if (code <= 0x20 || code === 0x7f) break;
  }
  return open === 0 ? { text: unescaped(text.slice(start, at)), end: at } : null;
}

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')' };

export function readLinkTitle(text: string, start: number): Part | null {
  const opening = text[start] ?? '';
  const closing = CLOSING[opening];
  if (closing === undefined) return null;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === closing) return { text: unescaped(text.slice(start + 1, at)), end: at + 1 };
    else if (opening === '(' && character === '(') return null;
    // A title holds no blank line, so nothing is sought beyond it.
    else if (character === '\n' && text[at + 1] === '\n') return null;
  }
  return null;
}

// Backslashes before punctuation are taken off; character references are left to the reader of the HTML.
function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(ESCAPED, '$1') : text;
}

export function isPunctuation(code: number): boolean {
  return (
    (code >= 0x21 && code <= 0x2f) ||
    (code >= 0x3a && code <= 0x40) ||
    (code >= 0x5b && code <= 0x60) ||
    (code >= 0x7b && code <= 0x7e)
  );
}
