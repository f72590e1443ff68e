// In which files words may stand, by one look at each text.
import type { SourceFile } from './project.ts';
import { unescaped } from './scan.ts';

// What identifiers are made of, and more; never a space.
const TOKEN = /[\w$\u00aa\u00b5\u00ba\u00c0-\u167f\u1681-\u1fff\u2070-\u2fff\u3001-\ufefe]+/g;

export class WordIndex {
  readonly #sources: readonly SourceFile[];
  readonly #files = new Map<string, SourceFile[]>();

  // Words that are asked for later and are not among these cost a look at every text.
  constructor(sources: readonly SourceFile[], words: Iterable<string>) {
    this.#sources = sources;
    for (const word of words) if (isToken(word)) this.#files.set(word, []);
    if (this.#files.size === 0) return;
    for (const source of sources) {
      this.#note(source, source.text);
      if (/\\[ux\r\n]/.test(source.text)) this.#note(source, unescaped(source.text));
    }
  }

  #note(source: SourceFile, text: string): void {
    for (const token of text.match(TOKEN) ?? []) {
      const files = this.#files.get(token);
      if (files && files.at(-1) !== source) files.push(source);
    }
  }

  filesWith(word: string): readonly SourceFile[] {
    return this.#files.get(word) ?? this.#sources.filter(({ text }) => text.includes(word));
  }
}

function isToken(word: string): boolean {
  return word.match(TOKEN)?.[0] === word;
}
