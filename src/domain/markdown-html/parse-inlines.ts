// The text of a block → HTML. Every position is visited once, and whatever looks ahead remembers what it did not find, so
// that the work is linear.

import { CodeSpans } from '../markdown/code-spans.ts';
import type { Definitions } from '../markdown/definitions.ts';
import { CHARACTER_REFERENCE } from '../markdown/entities.ts';
import { isPunctuation } from '../markdown/link-parts.ts';
import { Brackets } from './brackets.ts';
import { Delimiters, readRun } from './emphasis.ts';
import { escapeHtml, escapeText, escapeUrl } from './escape.ts';
import { readExtendedAutolink } from './extended-autolinks.ts';
import { InlineHtml } from './inline-html.ts';
import { addPiece, type Piece, piecesHtml } from './inline-pieces.ts';

// A run without any character that could begin something; `h` and `w` begin extended autolinks.
const PLAIN = /[^\n\\`*_~[\]!<&hwHW]+/y;
const WORD = /[hwHW][a-zA-Z0-9]*/y;
const REFERENCE = new RegExp(CHARACTER_REFERENCE, 'iy');

// A text without any of these is plain and needs no parser.
const SYNTAX = /[\n\\`*_~[\]!<&]|https?:|www\./i;

export function parseInlines(text: string, definitions: Definitions): string {
  if (!SYNTAX.test(text)) return escapeText(text.trimEnd());
  return new InlineParser(text.trimEnd(), definitions).parse();
}

class InlineParser {
  readonly #text: string;
  readonly #pieces: Piece[] = [];
  readonly #delimiters = new Delimiters();
  readonly #brackets: Brackets;
  readonly #codeSpans: CodeSpans;
  readonly #html: InlineHtml;
  #at = 0;

  constructor(text: string, definitions: Definitions) {
    this.#text = text;
    this.#brackets = new Brackets(text, { pieces: this.#pieces, delimiters: this.#delimiters, definitions });
    this.#codeSpans = new CodeSpans(text);
    this.#html = new InlineHtml(text);
  }

  parse(): string {
    while (this.#at < this.#text.length) this.#step();
    this.#delimiters.pair(null);
    return piecesHtml(this.#pieces);
  }

  #step(): void {
    PLAIN.lastIndex = this.#at;
    const plain = PLAIN.exec(this.#text)?.[0];
    if (plain !== undefined) {
      this.#at += plain.length;
      this.#push(escapeText(plain));
      return;
    }
    const character = this.#text[this.#at] as string;
    if (character === '\n') this.#lineEnd();
    else if (character === '\\') this.#backslash();
    else if (character === '`') this.#codeSpan();
    else if (character === '*' || character === '_' || character === '~') this.#delimiterRun();
    else if (character === '[') this.#at = this.#brackets.open(this.#at, false);
    else if (character === '!' && this.#text[this.#at + 1] === '[') this.#at = this.#brackets.open(this.#at, true);
    else if (character === '!') this.#literal(1);
    else if (character === ']') this.#closeBracket();
    else if (character === '<') this.#angleBracket();
    else if (character === '&') this.#characterReference();
    else this.#autolink();
  }

  #push(html: string): Piece {
    return addPiece(this.#pieces, html);
  }

  #literal(length: number): void {
    this.#push(escapeText(this.#text.slice(this.#at, this.#at + length)));
    this.#at += length;
  }

  // Two or more spaces at the end of a line make a hard line break.
  #lineEnd(): void {
    const last = this.#pieces.at(-1);
    let blanks = 0;
    if (last && last.after === '') {
      while (last.text[last.text.length - 1 - blanks] === ' ') blanks += 1;
      if (blanks > 0) last.text = last.text.slice(0, last.text.length - blanks);
    }
    this.#push(blanks >= 2 ? '<br />\n' : '\n');
    this.#at += 1;
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at += 1;
  }

  #backslash(): void {
    const next = this.#text.charCodeAt(this.#at + 1);
    if (next === 0x0a) {
      this.#push('<br />\n');
      this.#at += 2;
      while (this.#text[this.#at] === ' ') this.#at += 1;
    } else if (isPunctuation(next)) {
      this.#push(escapeHtml(this.#text[this.#at + 1] as string));
      this.#at += 2;
    } else this.#literal(1);
  }

  #codeSpan(): void {
    const { length, content, end } = this.#codeSpans.at(this.#at);
    this.#push(content === null ? '`'.repeat(length) : `<code>${escapeHtml(content)}</code>`);
    this.#at = end;
  }

  #delimiterRun(): void {
    const { character, length, canOpen, canClose } = readRun(this.#text, this.#at);
    const piece = this.#push(this.#text.slice(this.#at, this.#at + length));
    this.#at += length;
    if ((!canOpen && !canClose) || (character === '~' && length > 2)) return;
    this.#delimiters.push({ character, count: length, length, canOpen, canClose, piece });
  }

  #closeBracket(): void {
    const end = this.#brackets.close(this.#at);
    if (end === null) this.#literal(1);
    else this.#at = end;
  }

  #angleBracket(): void {
    const found = this.#html.at(this.#at);
    this.#push(found?.html ?? '&lt;');
    this.#at = found?.end ?? this.#at + 1;
  }

  #characterReference(): void {
    REFERENCE.lastIndex = this.#at;
    const found = REFERENCE.exec(this.#text)?.[0];
    this.#push(found ?? '&amp;');
    this.#at += found?.length ?? 1;
  }

  #autolink(): void {
    const found = readExtendedAutolink(this.#text, this.#at, this.#brackets.isInside);
    if (found === null) {
      // An autolink begins at the start of a word, so that the rest of the word cannot begin one.
      WORD.lastIndex = this.#at;
      this.#literal(WORD.exec(this.#text)?.[0].length ?? 1);
      return;
    }
    const text = escapeText(found.text);
    this.#push(`<a href="${escapeUrl(found.url)}">${text}</a>`).plain = text;
    this.#at += found.text.length;
  }
}
