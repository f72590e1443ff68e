// What links and footnotes of a document refer to: link reference definitions, `[label]: destination "title"`, with which a
// paragraph may begin, and footnotes, `[^label]: text`.
import type { MarkdownBlock } from './block-tree.ts';
import { readIndent } from './line-syntax.ts';
import { readLabel, readLinkDestination, readLinkTitle } from './link-parts.ts';

export type References = Map<string, { destination: string; title: string | null }>;

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

export interface ReferenceDefinition {
  label: string;
  destination: string;
  title: string | null;
  end: number;
}

// The definition at a position, which ends behind its line.
export function readDefinition(text: string, start: number): ReferenceDefinition | null {
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

// Whether a line by itself defines what links or footnotes refer to.
export function isDefinitionLine(line: string): boolean {
  const at = readIndent(line, 0, line.length).at;
  if (line[at] !== '[') return false;
  const found = readDefinition(line, at);
  return found ? found.end === line.length : line[at + 1] === '^' && FOOTNOTE.test(line.slice(at));
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

const REFERENCE = /\[\^([^\]\s[]{1,100})\]/y;
// The beginning of a footnote definition.
export const FOOTNOTE = /^\[\^([^\]\s[]{1,100})\]:[ \t]*/;

const footnoteKey = (label: string): string => label.toLowerCase();

// Footnotes by label, numbered in the order in which the text refers to them.
export class Footnotes {
  readonly #definitions = new Map<string, MarkdownBlock>();
  readonly #numbers = new Map<string, number>();
  readonly #referred: MarkdownBlock[] = [];

  // The first definition of a label counts.
  define(label: string, block: MarkdownBlock): void {
    const key = footnoteKey(label);
    if (!this.#definitions.has(key)) this.#definitions.set(key, block);
  }

  // The footnote reference at a position of the text; null when there is none or its label has no definition.
  refer(text: string, at: number): { number: number; end: number } | null {
    REFERENCE.lastIndex = at;
    const match = REFERENCE.exec(text);
    const key = footnoteKey(match?.[1] ?? '');
    if (!match || !this.#definitions.has(key)) return null;
    const number = this.#numbers.get(key) ?? this.#referred.push(this.#definitions.get(key) as MarkdownBlock);
    this.#numbers.set(key, number);
    return { number, end: at + match[0].length };
  }

  // Null behind the last one. A footnote may refer to another, which is then added at the end: callers ask again after
  // each one.
  numbered(number: number): MarkdownBlock | null {
    return this.#referred[number - 1] ?? null;
  }
}
