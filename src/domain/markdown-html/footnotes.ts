// Footnotes: definitions by label, numbered in the order in which the text refers to them.
import type { MarkdownBlock } from './block-tree.ts';

const REFERENCE = /\[\^([^\]\s[]{1,100})\]/y;
// The beginning of a footnote definition.
export const FOOTNOTE = /^\[\^([^\]\s[]{1,100})\]:[ \t]*/;

const footnoteKey = (label: string): string => label.toLowerCase();

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
