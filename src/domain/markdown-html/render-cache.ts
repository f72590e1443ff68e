// Cache of rendered notes, least recently used first out. Characters are counted, because notes differ much in size.
import type { RenderedText } from './sanitize.ts';

const MAX_CHARACTERS = 16_000_000;

export class RenderCache {
  readonly #entries = new Map<string, RenderedText>();
  readonly #most: number;
  #characters = 0;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#most = maxCharacters;
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
    this.#forget(key);
    if (text.html.length > this.#most) return;
    this.#entries.set(key, text);
    this.#characters += text.html.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= this.#most) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#characters -= this.#entries.get(key)?.html.length ?? 0;
    this.#entries.delete(key);
  }
}
