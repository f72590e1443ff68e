// `[label]: address "title"` at the beginning of a paragraph.
import type { Footnotes } from './footnotes.ts';
import { readLabel, readLinkAddress, readLinkTitle } from './link-parts.ts';

export type References = Map<string, { address: string; title: string | null }>;

// What texts of the document may refer to.
export interface Definitions {
  references: References;
  footnotes: Footnotes;
}

// Takes the definitions off the text and returns what is left. The first definition of a label counts.
export function takeReferences(text: string, references: References): string {
  let at = 0;
  while (text[at] === '[') {
    const found = readDefinition(text, at);
    if (found === null) break;
    const { label, address, title, end } = found;
    if (!references.has(label)) references.set(label, { address, title });
    at = end;
  }
  return at === 0 ? text : text.slice(at);
}

interface Definition {
  label: string;
  address: string;
  title: string | null;
  end: number;
}

function readDefinition(text: string, start: number): Definition | null {
  const label = readLabel(text, start);
  if (label === null || label.key === '' || label.key.startsWith('^') || text[label.end] !== ':') return null;
  const address = readLinkAddress(text, skipSpace(text, label.end + 1));
  if (address === null || address.end === skipSpace(text, label.end + 1)) return null;
  const bare = lineEnd(text, address.end);
  const titleAt = skipSpace(text, address.end);
  const title = titleAt > address.end ? readLinkTitle(text, titleAt) : null;
  const titled = title === null ? null : lineEnd(text, title.end);
  if (title !== null && titled !== null) {
    return { label: label.key, address: address.text, title: title.text, end: titled };
  }
  return bare === null ? null : { label: label.key, address: address.text, title: null, end: bare };
}

// Blanks and at most one line end.
function skipSpace(text: string, from: number): number {
  let at = skipBlanks(text, from);
  if (text[at] === '\n') at = skipBlanks(text, at + 1);
  return at;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

// The position behind the line end when nothing but blanks stands before it.
function lineEnd(text: string, from: number): number | null {
  const at = skipBlanks(text, from);
  if (at >= text.length) return at;
  return text[at] === '\n' ? at + 1 : null;
}
