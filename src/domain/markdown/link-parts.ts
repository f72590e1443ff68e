// The parts of a link: its label, its destination and its title. Each is read once from left to right.

export interface LinkTarget {
  destination: string;
  title: string | null;
  end: number;
}

interface LinkPart {
  text: string;
  end: number;
}

const MAX_LABEL = 999;
const MAX_PARENTHESES = 32;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

// A link label, which holds no brackets. Labels that differ in case and white space alone have the same key.
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

export function readLinkDestination(text: string, start: number): LinkPart | null {
  return text[start] === '<' ? readBracketed(text, start) : readBare(text, start);
}

function readBracketed(text: string, start: number): LinkPart | null {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '\n' || character === '<') return null;
    else if (character === '>') return { text: unescaped(text.slice(start + 1, at)), end: at + 1 };
  }
  return null;
}

function readBare(text: string, start: number): LinkPart | null {
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

export function readLinkTitle(text: string, start: number): LinkPart | null {
  const opening = text[start] ?? '';
  const closing = CLOSING[opening];
  if (closing === undefined) return null;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === closing) return { text: unescaped(text.slice(start + 1, at)), end: at + 1 };
    else if (opening === '(' && character === '(') return null;
    // A title holds no blank line, which bounds the search for its end.
    else if (character === '\n' && text[at + 1] === '\n') return null;
  }
  return null;
}

// The part of an inline link behind its text: `(destination "title")`.
export function readInlineTarget(text: string, at: number): LinkTarget | null {
  if (text[at] !== '(') return null;
  const destination = readLinkDestination(text, skipSpace(text, at + 1));
  if (destination === null) return null;
  const gap = skipSpace(text, destination.end);
  if (text[gap] === ')') return { destination: destination.text, title: null, end: gap + 1 };
  if (gap === destination.end) return null;
  const title = readLinkTitle(text, gap);
  if (title === null) return null;
  const end = skipSpace(text, title.end);
  return text[end] === ')' ? { destination: destination.text, title: title.text, end: end + 1 } : null;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n') at += 1;
  return at;
}

// Character references stay, because they mean the same in the HTML.
function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(ESCAPED, '$1') : text;
}

// ASCII punctuation, which a backslash escapes.
export function isPunctuation(code: number): boolean {
  return (
    (code >= 0x21 && code <= 0x2f) ||
    (code >= 0x3a && code <= 0x40) ||
    (code >= 0x5b && code <= 0x60) ||
    (code >= 0x7b && code <= 0x7e)
  );
}
