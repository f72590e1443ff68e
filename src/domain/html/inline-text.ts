// Collects the markdown of one paragraph: single spaces, line breaks and emphasis.
import { escapeText } from './escape.ts';

const SPACES = /[ \t\n\r\f\u00a0]+/g;
const INVISIBLE = /[\u200b\ufeff\u00ad]/g;
const PUNCTUATION_END = /[!-/:-@[-`{-~]+$/;
const WORD_START = /^[\p{L}\p{N}]/u;

// White space is collapsed. A line feed is a hard line break, two are the end of a paragraph.
export class InlineText {
  private readonly parts: string[] = [];
  private last = '';
  // The delimiter of the last part, when that was emphasis.
  private delimiter: string | null = null;

  get isEmpty(): boolean {
    return this.parts.every((part) => part.trim() === '');
  }

  text(raw: string, inLink: boolean): void {
    const text = raw.replace(INVISIBLE, '').replace(SPACES, ' ');
    if (text !== '') this.push(escapeText(text, inLink));
  }

  // Adds finished markdown.
  push(markdown: string): void {
    const text = this.endsOpen() ? markdown.replace(/^ +/, '') : markdown;
    if (text === '') return;
    if (this.delimiter && WORD_START.test(text)) this.moveOutPunctuation(this.delimiter);
    this.add(text);
  }

  // Adds emphasis with a delimiter such as `**`. Emphasis cannot span paragraphs, so that each one gets its own.
  emphasis(text: string, delimiter: string): void {
    for (const piece of text.split(/(\n{2,})/)) {
      const core = piece.trim();
      if (core === '') {
        this.push(piece);
        continue;
      }
      const start = piece.indexOf(core);
      this.push(piece.slice(0, start));
      if (this.delimiter === delimiter && this.last.endsWith(delimiter)) {
        this.replaceLast(this.last.slice(0, -delimiter.length) + core + delimiter);
      } else {
        this.add(delimiter + core + delimiter);
      }
      this.delimiter = delimiter;
      if (start + core.length < piece.length) this.push(piece.slice(start + core.length));
    }
  }

  lineBreak(): void {
    this.add('\n');
  }

  // Returns the paragraphs so far, each as a list of lines, and starts again.
  take(): string[][] {
    if (this.parts.length === 0) return [];
    const text = this.whole().trim();
    const paragraphs = text === '' ? [] : text.split(/\n{2,}/).map((paragraph) => paragraph.split('\n'));
    this.parts.length = 0;
    this.last = '';
    this.delimiter = null;
    return paragraphs;
  }

  // The text with the space at its ends.
  whole(): string {
    return this.parts.join('').replace(/ *\n */g, '\n');
  }

  private endsOpen(): boolean {
    return this.last.endsWith(' ') || this.last.endsWith('\n');
  }

  private add(text: string): void {
    this.parts.push(text);
    this.last = text;
    this.delimiter = null;
  }

  private replaceLast(text: string): void {
    this.parts[this.parts.length - 1] = text;
    this.last = text;
  }

  // The delimiter run in `**Note:**text` is not right-flanking, so that it would not close the emphasis; in `**Note**:text`
  // it does.
  private moveOutPunctuation(delimiter: string): void {
    const core = this.last.slice(0, -delimiter.length);
    const tail = PUNCTUATION_END.exec(core.slice(-20))?.[0] ?? '';
    const end = core.length - tail.length;
    if (tail === '' || end <= delimiter.length || /[`)\\]/.test(tail)) return;
    this.replaceLast(core.slice(0, end) + delimiter + tail);
  }
}
