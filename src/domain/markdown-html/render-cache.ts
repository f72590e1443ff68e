// Least-recently-used cache of rendered notes. It is bounded by characters, because notes differ much in size.
import type { RenderedText } from './sanitize.ts';

const MAX_CHARACTERS = 16_000_000;

export class RenderCache {
  readonly #entries = new Map<string, RenderedText>();
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): RenderedText | undefined {
    const text = this.#entries.get(key);
    if (text === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, text);
    return text;
  }

  set(key: string, text: RenderedText): void {
    this.#remove(key);
    if (text.html.length > this.#maxCharacters) return;
    this.#entries.set(key, text);
    this.#characters += text.html.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= this.#maxCharacters) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#characters -= this.#entries.get(key)?.html.length ?? 0;
    this.#entries.delete(key);
  }
}
