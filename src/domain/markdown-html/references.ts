// Link reference definitions, `[label]: destination "title"`, which a paragraph may begin with.
import type { Footnotes } from './footnotes.ts';
import { readLabel, readLinkDestination, readLinkTitle } from './link-parts.ts';

export type References = Map<string, { destination: string; title: string | null }>;

// What links and footnotes of the whole document may refer to.
export interface Definitions {
  references: References;
  footnotes: Footnotes;
}

// Moves the definitions from the text to `references` and returns the rest. The first definition of a label counts.
export function takeReferences(text: string, references: References): string {
  let at = 0;
  while (text[at] === '[') {
    const found = readDefinition(text, at);
    if (found === null) break;
    const { label, destination, title, end } = found;
    if (!references.has(label)) references.set(label, { destination, title });
    at = end;
  }
  return at === 0 ? text : text.slice(at);
}

interface ReferenceDefinition {
  label: string;
  destination: string;
  title: string | null;
  end: number;
}

function readDefinition(text: string, start: number): ReferenceDefinition | null {
  const label = readLabel(text, start);
  if (label === null || label.key === '' || label.key.startsWith('^') || text[label.end] !== ':') return null;
  const destination = readLinkDestination(text, skipSpace(text, label.end + 1));
  if (destination === null || destination.end === skipSpace(text, label.end + 1)) return null;
  const bare = lineEnd(text, destination.end);
  const titleAt = skipSpace(text, destination.end);
  const title = titleAt > destination.end ? readLinkTitle(text, titleAt) : null;
  const titled = title === null ? null : lineEnd(text, title.end);
  if (title !== null && titled !== null) {
    return { label: label.key, destination: destination.text, title: title.text, end: titled };
  }
  return bare === null ? null : { label: label.key, destination: destination.text, title: null, end: bare };
}

// Skips white space with at most one line end.
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

// The position behind the line end; null when there is text before it.
function lineEnd(text: string, from: number): number | null {
  const at = skipBlanks(text, from);
  if (at >= text.length) return at;
  return text[at] === '\n' ? at + 1 : null;
}
