/**
 * As much of TOML as it takes to find a text under a name: tables, dotted and quoted keys, strings. Every other value is
 * passed over. Each character is looked at once, and what does not read like TOML ends with its line.
 */
interface TomlText {
  path: string[];
  value: string;
}

/** The string values of a document with the names they stand under, in the order of the text. */
export function* tomlTexts(text: string): Iterable<TomlText> {
  const reader = new Reader(text);
  let table: string[] = [];
  while (reader.toStatement()) {
    if (reader.at('[')) {
      // Of a list of tables nobody asks for an element.
      const isList = reader.at('[', 1);
      const path = reader.skip(isList ? 2 : 1).keys();
      table = path && reader.at(']') ? [...path, ...(isList ? ['[]'] : [])] : ['?'];
    } else {
      const path = reader.keys();
      if (path && reader.at('=')) {
        const value = reader.skip(1).string();
        if (value !== null) yield { path: [...table, ...path], value };
        reader.value();
      }
    }
    reader.toLineEnd();
  }
}

const BARE = /[A-Za-z0-9_-]+/y;
const BLANK = /[ \t]*/y;
const ESCAPES: Record<string, string> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\u001b' };
const MOST_KEYS = 20;

class Reader {
  readonly #text: string;
  #index = 0;

  constructor(text: string) {
    this.#text = text;
  }

  at(sign: string, ahead = 0): boolean {
    return this.#text.startsWith(sign, this.#index + ahead);
  }

  skip(count: number): this {
    this.#index += count;
    return this;
  }

  /** To the next line that says something; false at the end. */
  toStatement(): boolean {
    for (;;) {
      this.#match(BLANK);
      if (this.#index >= this.#text.length) return false;
      if (this.at('#')) this.toLineEnd();
      else if (this.at('\n') || this.at('\r')) this.#index += 1;
      else return true;
    }
  }

  toLineEnd(): void {
    const end = this.#text.indexOf('\n', this.#index);
    this.#index = end === -1 ? this.#text.length : end;
  }

  /** `a."b c".d`, and the blanks after it. */
  keys(): string[] | null {
    const keys: string[] = [];
    while (keys.length < MOST_KEYS) {
      this.#match(BLANK);
      const key = this.at('"') || this.at("'") ? this.string() : this.#match(BARE) || null;
      if (key === null) return null;
      keys.push(key);
      this.#match(BLANK);
      if (!this.at('.')) return keys;
      this.#index += 1;
    }
    return null;
  }

  /** Null for a value that is no string; then nothing was read but blanks. */
  string(): string | null {
    this.#match(BLANK);
    const quote = this.at('"') ? '"' : this.at("'") ? "'" : null;
    if (quote === null) return null;
    const isLong = this.at(quote.repeat(3));
    const fence = isLong ? quote.repeat(3) : quote;
    const start = this.#index + fence.length;
    let end = start;
    while (end < this.#text.length && !this.#text.startsWith(fence, end)) {
      if (!isLong && this.#text[end] === '\n') return this.#give(end, null);
      end += quote === '"' && this.#text[end] === '\\' ? 2 : 1;
    }
    const raw = this.#text.slice(start, end);
    return this.#give(end + fence.length, quote === '"' ? unescaped(raw) : raw);
  }

  /** Past whatever is left of a value: lists and tables can go over many lines. */
  value(): void {
    let depth = 0;
    while (this.#index < this.#text.length) {
      const sign = this.#text[this.#index];
      if (sign === '"' || sign === "'") {
        this.string();
        continue;
      }
      if (sign === '\n' && depth <= 0) return;
      if (sign === '#') this.toLineEnd();
      else {
        if (sign === '[' || sign === '{') depth += 1;
        if (sign === ']' || sign === '}') depth -= 1;
        this.#index += 1;
      }
    }
  }

  #give<T>(index: number, value: T): T {
    this.#index = Math.min(index, this.#text.length);
    return value;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#index;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#index += found.length;
    return found;
  }
}

function unescaped(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gs, (whole, short, long, sign) => {
    if (sign !== undefined) return ESCAPES[sign as string] ?? (sign as string);
    const code = Number.parseInt((short ?? long) as string, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : (whole as string);
  });
}
