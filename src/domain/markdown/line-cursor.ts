// One line, read from the left. A tab reaches to the next tab stop, four columns apart, and a container may use up a part
// of it.

export class LineCursor {
  readonly text: string;
  at = 0;
  column = 0;
  // Columns of the tab at the cursor that a container has used up already.
  #usedOfTab = 0;
  // Position of the next character that is neither space nor tab, and the columns before it.
  next = 0;
  indent = 0;

  constructor(text: string) {
    this.text = text;
    this.#findContent();
  }

  get isBlank(): boolean {
    return this.next >= this.text.length;
  }

  #findContent(): void {
    let column = this.column;
    let next = this.at;
    for (; next < this.text.length; next += 1) {
      const code = this.text.charCodeAt(next);
      if (code === 0x20) column += 1;
      else if (code === 0x09) column += 4 - (column % 4);
      else break;
    }
    this.next = next;
    this.indent = column - this.column;
  }

  // Skips columns of white space; stops at text.
  skipColumns(count: number): void {
    let left = count;
    while (left > 0 && this.at < this.text.length) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x09) {
        const width = 4 - (this.column % 4);
        const used = Math.min(width, left);
        this.column += used;
        left -= used;
        if (used === width) {
          this.at += 1;
          this.#usedOfTab = 0;
        } else this.#usedOfTab += used;
      } else if (code === 0x20) {
        this.at += 1;
        this.column += 1;
        left -= 1;
      } else break;
    }
    this.#findContent();
  }

  skipBlanks(): void {
    this.column += this.indent;
    this.at = this.next;
    this.#usedOfTab = 0;
    this.indent = 0;
  }

  // Skips characters that are no white space.
  skip(count: number): void {
    this.at += count;
    this.column += count;
    this.#findContent();
  }

  // The rest of the line; the unused columns of a tab become spaces.
  rest(): string {
    if (this.#usedOfTab === 0) return this.text.slice(this.at);
    return ' '.repeat(4 - (this.column % 4)) + this.text.slice(this.at + 1);
  }

  // The rest of the line without its indentation.
  content(): string {
    return this.text.slice(this.next);
  }
}
