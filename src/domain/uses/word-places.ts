// Where words stand in the files of a project, as names or as whole texts. A word stays unknown until its files were read.
import type { SourceFile } from './project.ts';
import type { Place } from './use.ts';
import type { WordIndex } from './word-index.ts';

// More places say nothing more.
const MAX_PLACES = 50;

export class WordPlaces {
  readonly #index: WordIndex;
  readonly #known = new Map<string, Place[]>();
  // Words that somebody asked for and that are not known yet.
  readonly #missing = new Set<string>();

  constructor(index: WordIndex) {
    this.#index = index;
  }

  get isMissing(): boolean {
    return this.#missing.size > 0;
  }

  of = (word: string): readonly Place[] => {
    const known = this.#known.get(word);
    if (!known && word !== '') this.#missing.add(word);
    return known ?? [];
  };

  // The files in which missing words stand, one after the other; `add` is called before the next is taken.
  *files(): Generator<{ source: SourceFile; words: readonly string[] }> {
    const byFile = new Map<SourceFile, string[]>();
    for (const word of this.#missing) {
      this.#known.set(word, []);
      for (const source of this.#index.filesWith(word)) {
        const words = byFile.get(source) ?? [];
        words.push(word);
        byFile.set(source, words);
      }
    }
    this.#missing.clear();
    const inOrder = [...byFile].sort(([a], [b]) => (a.path < b.path ? -1 : 1));
    for (const [source, all] of inOrder) {
      const words = all.filter((word) => (this.#known.get(word)?.length ?? 0) < MAX_PLACES);
      if (words.length > 0) yield { source, words };
    }
  }

  add({ path: file }: SourceFile, lines: ReadonlyMap<string, readonly number[]>): void {
    for (const [word, found] of lines) this.#known.get(word)?.push(...found.map((line) => ({ file, line })));
  }
}
