// The text of a block → HTML. Every position is visited once; whatever looks ahead remembers what it did not find.

import { readBareAddress } from './bare-address.ts';
import { CodeSpans } from './code-spans.ts';
import { type Delimiter, Delimiters, flanking } from './emphasis.ts';
import { escapeHtml } from './escape.ts';
import type { Footnotes } from './footnotes.ts';
import { InlineHtml } from './inline-html.ts';
import { addressHtml, type Piece, piece, piecesHtml, textHtml } from './inline-pieces.ts';
import { isPunctuation, labelKey, readLabel, readLinkAddress, readLinkTitle } from './link-parts.ts';
import type { Definitions, References } from './references.ts';

interface InlineTarget {
  address: string;
  title: string | null;
  end: number;
}

interface Bracket {
  piece: number;
  at: number;
  image: boolean;
  delimiters: Delimiter | null;
  // Another bracket was opened behind it, so its text is no label.
  nested: boolean;
}

// A description that is longer says nothing more.
const MAX_ALT = 1_000;
const PLAIN = /[^\n\\`*_~[\]!<&hwHW]+/y;
const WORD = /[hwHW][a-zA-Z0-9]*/y;
const REFERENCE = /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,31});/iy;

// Without any of these there is nothing to read.
const MARKS = /[\n\\`*_~[\]!<&]|https?:|www\./i;

export function parseInlines(text: string, definitions: Definitions): string {
  if (!MARKS.test(text)) return textHtml(text.trimEnd());
  return new InlineParser(text.trimEnd(), definitions).parse();
}

class InlineParser {
  readonly #text: string;
  readonly #references: References;
  readonly #footnotes: Footnotes;
  readonly #pieces: Piece[] = [];
  readonly #delimiters = new Delimiters();
  readonly #brackets: Bracket[] = [];
  readonly #codeSpans: CodeSpans;
  readonly #html: InlineHtml;
  // Brackets below this one open no link: a link stands behind them already.
  #inactiveBelow = 0;
  #at = 0;

  constructor(text: string, { references, footnotes }: Definitions) {
    this.#text = text;
    this.#references = references;
    this.#footnotes = footnotes;
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
      this.#push(textHtml(plain));
      return;
    }
    const character = this.#text[this.#at] as string;
    if (character === '\n') this.#lineEnd();
    else if (character === '\\') this.#escape();
    else if (character === '`') this.#code();
    else if (character === '*' || character === '_' || character === '~') this.#run(character);
    else if (character === '[') this.#open(false);
    else if (character === '!' && this.#text[this.#at + 1] === '[') this.#open(true);
    else if (character === '!') this.#literal(1);
    else if (character === ']') this.#close();
    else if (character === '<') this.#angle();
    else if (character === '&') this.#reference();
    else this.#address();
  }

  #push(html: string): Piece {
    const one = piece(html);
    this.#pieces.push(one);
    return one;
  }

  #literal(length: number): void {
    this.#push(textHtml(this.#text.slice(this.#at, this.#at + length)));
    this.#at += length;
  }

  // Two blanks before the end of a line break it.
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

  #escape(): void {
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

  #code(): void {
    const span = this.#codeSpans.at(this.#at);
    const { content, end } = span;
    this.#push(content === null ? '`'.repeat(span.length) : `<code>${escapeHtml(content)}</code>`);
    this.#at = end;
  }

  #run(character: string): void {
    const start = this.#at;
    let end = start;
    while (this.#text[end] === character) end += 1;
    const length = end - start;
    const { canOpen, canClose } = flanking(character, characterBefore(this.#text, start), characterAt(this.#text, end));
    const one = this.#push(this.#text.slice(start, end));
    this.#at = end;
    if ((!canOpen && !canClose) || (character === '~' && length > 2)) return;
    this.#delimiters.push({ character, count: length, length, canOpen, canClose, piece: one });
  }

  #open(image: boolean): void {
    if (!image && this.#footnote()) return;
    const top = this.#brackets.at(-1);
    if (top) top.nested = true;
    const mark = image ? '![' : '[';
    this.#push(mark);
    const delimiters = this.#delimiters.last;
    const at = this.#at + mark.length;
    this.#brackets.push({ piece: this.#pieces.length - 1, at, image, delimiters, nested: false });
    this.#at = at;
  }

  #footnote(): boolean {
    const found = this.#text[this.#at + 1] === '^' ? this.#footnotes.refer(this.#text, this.#at) : null;
    if (found === null) return false;
    this.#push(`<sup data-note-ref="${found.number}">${found.number}</sup>`);
    this.#at = found.end;
    return true;
  }

  #close(): void {
    const bracket = this.#brackets.pop();
    const target = bracket ? this.#target(bracket) : null;
    if (!bracket || target === null) this.#literal(1);
    else this.#link(bracket, target);
  }

  #target(bracket: Bracket): InlineTarget | null {
    const inactive = !bracket.image && this.#brackets.length < this.#inactiveBelow;
    this.#inactiveBelow = Math.min(this.#inactiveBelow, this.#brackets.length);
    return inactive ? null : (this.#inlineTarget() ?? this.#referenceTarget(bracket));
  }

  #link(bracket: Bracket, target: InlineTarget): void {
    this.#at = target.end;
    this.#delimiters.pair(bracket.delimiters);
    const title = target.title === null ? '' : ` title="${textHtml(target.title)}"`;
    if (bracket.image) {
      const [, ...inner] = this.#pieces.splice(bracket.piece);
      this.#push(`<img src="${addressHtml(target.address)}" alt="${altOf(piecesHtml(inner))}"${title} />`);
      return;
    }
    const opening = this.#pieces[bracket.piece] as Piece;
    opening.text = `<a href="${addressHtml(target.address)}"${title}>`;
    for (let index = bracket.piece + 1; index < this.#pieces.length; index += 1) {
      const inner = this.#pieces[index] as Piece;
      if (inner.plain !== undefined) inner.text = inner.plain;
    }
    this.#push('</a>');
    this.#inactiveBelow = this.#brackets.length;
  }

  #inlineTarget(): InlineTarget | null {
    const text = this.#text;
    if (text[this.#at + 1] !== '(') return null;
    const start = skipSpace(text, this.#at + 2);
    const address = readLinkAddress(text, start);
    if (address === null) return null;
    const gap = skipSpace(text, address.end);
    if (text[gap] === ')') return { address: address.text, title: null, end: gap + 1 };
    if (gap === address.end) return null;
    const title = readLinkTitle(text, gap);
    if (title === null) return null;
    const end = skipSpace(text, title.end);
    return text[end] === ')' ? { address: address.text, title: title.text, end: end + 1 } : null;
  }

  #referenceTarget(bracket: Bracket): InlineTarget | null {
    if (this.#references.size === 0) return null;
    const after = readLabel(this.#text, this.#at + 1);
    const isFull = after !== null && after.key !== '';
    const length = this.#at - bracket.at;
    if (!isFull && (bracket.nested || length > 999)) return null;
    const key = isFull ? after.key : labelKey(this.#text.slice(bracket.at, this.#at));
    const found = key === '' ? undefined : this.#references.get(key);
    return found ? { ...found, end: after?.end ?? this.#at + 1 } : null;
  }

  #angle(): void {
    const found = this.#html.at(this.#at);
    this.#push(found?.html ?? '&lt;');
    this.#at = found?.end ?? this.#at + 1;
  }

  #reference(): void {
    REFERENCE.lastIndex = this.#at;
    const found = REFERENCE.exec(this.#text)?.[0];
    this.#push(found ?? '&amp;');
    this.#at += found?.length ?? 1;
  }

  #address(): void {
    const found = readBareAddress(this.#text, this.#at, this.#brackets.length > 0);
    if (found === null) {
      // The rest of the word cannot begin an address.
      WORD.lastIndex = this.#at;
      this.#literal(WORD.exec(this.#text)?.[0].length ?? 1);
      return;
    }
    const shown = textHtml(found.shown);
    this.#push(`<a href="${addressHtml(found.address)}">${shown}</a>`).plain = shown;
    this.#at += found.shown.length;
  }
}

// What a picture shows, without markup.
function altOf(html: string): string {
  const text = html
    .slice(0, 8 * MAX_ALT)
    .replace(/<img [^>]*alt="([^"]*)"[^>]*>|<[^>]*>/g, '$1')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
  return text.length <= MAX_ALT ? text : text.slice(0, MAX_ALT).replace(/&[^;]{0,32}$/, '');
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n') at += 1;
  return at;
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  if (at === 0) return '';
  const code = text.charCodeAt(at - 1);
  const isPair = code >= 0xdc00 && code <= 0xdfff && at > 1;
  return isPair ? text.slice(at - 2, at) : (text[at - 1] as string);
}
