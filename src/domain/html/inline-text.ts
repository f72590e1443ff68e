import { escapeText } from './escape.ts';

const SPACES = /[ \t\n\r\f\u00a0]+/g;
const INVISIBLE = /[\u200b\ufeff\u00ad]/g;
const PUNCTUATION_END = /[!-/:-@[-`{-~]+$/;
const WORD_START = /^[\p{L}\p{N}]/u;

// A line of markdown under construction. White space is single; a line feed stands for a forced line break, two for the
// end of a paragraph.
export class InlineText {
  private readonly parts: string[] = [];
  private last = '';
  // The mark of the last part, when it was marked text.
  private mark: string | null = null;

  get isEmpty(): boolean {
    return this.parts.every((part) => part.trim() === '');
  }

  text(raw: string, inLink: boolean): void {
    const text = raw.replace(INVISIBLE, '').replace(SPACES, ' ');
    if (text !== '') this.push(escapeText(text, inLink));
  }

  // Finished markdown; space at its ends stays outside.
  push(markdown: string): void {
    const text = this.endsOpen() ? markdown.replace(/^ +/, '') : markdown;
    if (text === '') return;
    if (this.mark && WORD_START.test(text)) this.moveOutPunctuation(this.mark);
    this.add(text);
  }

  // Text in a mark such as `**`; each paragraph of it gets its own.
  marked(text: string, mark: string): void {
    for (const piece of text.split(/(\n{2,})/)) {
      const core = piece.trim();
      if (core === '') {
        this.push(piece);
        continue;
      }
      const start = piece.indexOf(core);
      this.push(piece.slice(0, start));
      if (this.mark === mark && this.last.endsWith(mark)) {
        this.replaceLast(this.last.slice(0, -mark.length) + core + mark);
      } else {
        this.add(mark + core + mark);
      }
      this.mark = mark;
      if (start + core.length < piece.length) this.push(piece.slice(start + core.length));
    }
  }

  lineBreak(): void {
    this.add('\n');
  }

  // The paragraphs so far, each a list of lines; empties the text.
  take(): string[][] {
    if (this.parts.length === 0) return [];
    const text = this.whole().trim();
    const paragraphs = text === '' ? [] : text.split(/\n{2,}/).map((paragraph) => paragraph.split('\n'));
    this.parts.length = 0;
    this.last = '';
    this.mark = null;
    return paragraphs;
  }

  // As it stands, with the space at its ends.
  whole(): string {
    return this.parts.join('').replace(/ *\n */g, '\n');
  }

  private endsOpen(): boolean {
    return this.last.endsWith(' ') || this.last.endsWith('\n');
  }

  private add(text: string): void {
    this.parts.push(text);
    this.last = text;
    this.mark = null;
  }

  private replaceLast(text: string): void {
    this.parts[this.parts.length - 1] = text;
    this.last = text;
  }

  // `**Note:**text` is no emphasis to a reader of markdown; `**Note**:text` is.
  private moveOutPunctuation(mark: string): void {
    const core = this.last.slice(0, -mark.length);
    const tail = PUNCTUATION_END.exec(core.slice(-20))?.[0] ?? '';
    const end = core.length - tail.length;
    if (tail === '' || end <= mark.length || /[`)\\]/.test(tail)) return;
    this.replaceLast(core.slice(0, end) + mark + tail);
  }
}
