// Least recently used first out; characters are counted, because notes differ much in size.

const MAX_CHARACTERS = 16_000_000;

export class RenderCache {
  readonly #entries = new Map<string, string>();
  readonly #most: number;
  #characters = 0;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#most = maxCharacters;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): string | undefined {
    const html = this.#entries.get(key);
    if (html === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, html);
    return html;
  }

  set(key: string, html: string): void {
    this.#forget(key);
    if (html.length > this.#most) return;
    this.#entries.set(key, html);
    this.#characters += html.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= this.#most) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#characters -= this.#entries.get(key)?.length ?? 0;
    this.#entries.delete(key);
  }
}
