// A position in the source of a paragraph, and the plain text that has been made of what is before it.

export class InlineCursor {
  readonly source: string;
  readonly parts: string[] = [];
  at = 0;
  // The source up to here is in `parts`.
  copied = 0;

  constructor(source: string) {
    this.source = source;
  }

  // Puts `text` in place of the next `length` characters.
  replace(length: number, text: string): void {
    if (this.copied < this.at) this.parts.push(this.source.slice(this.copied, this.at));
    if (text) this.parts.push(text);
    this.at += length;
    this.copied = this.at;
  }

  // Length of the run of equal characters at a position.
  runLength(from: number): number {
    const code = this.source.charCodeAt(from);
    let end = from + 1;
    while (this.source.charCodeAt(end) === code) end += 1;
    return end - from;
  }

  // The text of the whole source, with white space collapsed.
  finish(): string {
    this.parts.push(this.source.slice(this.copied));
    const text = this.parts.join('');
    return (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text).trim();
  }
}
