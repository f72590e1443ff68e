import { isDecoration, isSurrogate } from '../markdown/emoji.ts';
import { decodeEntity } from '../markdown/entities.ts';
import { type Needle, Seeker, seek } from '../markdown/seek.ts';
import { CODE_CLOSE, CODE_OPEN } from './code-marks.ts';

const TAG = /<(\/?)([a-z][a-z0-9]*)(?=[\s/>])[^<>]*>/iy;
const KNOWN_TAGS = new Set(
  `a abbr article aside audio b big blockquote body br button center cite code col colgroup dd del details div dl
  dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr html i iframe img input ins kbd label li main
  mark nav ol p path picture pre q s samp section small source span strike strong sub summary sup svg table tbody
  td tfoot th thead time tr tt u ul var video`.split(/\s+/),
);
const SPACING_TAGS = new Set(['br', 'p', 'div', 'li', 'td', 'th', 'tr', 'hr', 'dd', 'dt', 'summary']);
const HASH_LINK = /^\uE000?[0-9a-f]{6,40}\uE001?$/;
const LONGEST_ADDRESS = 2000;

// Characters below 128 that the reader has to stop at.
const STOPS = new Uint8Array(128);
for (const stop of '`*_~[]!<&\\\n') STOPS[stop.charCodeAt(0)] = 1;

const TICK = { pattern: /`/g, length: 1 } satisfies Needle;
const PAREN = { pattern: /\)/g, length: 1 } satisfies Needle;
const BRACKET = { pattern: /\]/g, length: 1 } satisfies Needle;
const ANGLE = { pattern: />/g, length: 1 } satisfies Needle;
const COMMENT_END = { pattern: /-->/g, length: 3 } satisfies Needle;

function isStop(code: number): boolean {
  return code < 128 ? STOPS[code] === 1 : code >= 0x2000;
}

// Markdown or HTML of one paragraph as plain text in one pass: links become their label, images, tags, emphasis and
// emoji vanish, entities are decoded, white space is collapsed. Code spans stay between CODE_OPEN and CODE_CLOSE.
export function inline(source: string): string {
  if (!/[^A-Za-z0-9 .,;:'"()/+#@=%?$-]| {2}/.test(source)) return source.trim();
  return new InlineReader(source).read();
}

class InlineReader {
  private readonly source: string;
  private readonly parts: string[] = [];
  // Index in `parts` of each bracket that still waits for its end.
  private readonly brackets: number[] = [];
  private readonly unclosedTicks = [false, false, false, false];
  private parens: Seeker | null = null;
  private closers: Seeker | null = null;
  private angles: Seeker | null = null;
  private at = 0;
  private copied = 0;

  constructor(source: string) {
    this.source = source;
  }

  read(): string {
    const { source } = this;
    while (this.at < source.length) {
      let at = this.at;
      while (at < source.length && !isStop(source.charCodeAt(at))) at += 1;
      this.at = at;
      if (at < source.length) this.stop(source.charCodeAt(at));
    }
    this.parts.push(source.slice(this.copied));
    const text = this.parts.join('');
    return (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text).trim();
  }

  private stop(code: number): void {
    if (code === 96) this.ticks();
    else if (code === 42 || code === 95 || code === 126) this.emphasis();
    else if (code === 91) this.openBracket(1);
    else if (code === 33 && this.source.charCodeAt(this.at + 1) === 91) this.openBracket(2);
    else if (code === 93) this.closeBracket();
    else if (code === 60) this.angle();
    else if (code === 38) this.entity();
    else if (code === 92) this.escape();
    else if (code === 10) this.newline();
    else if (code >= 0x2000 && isDecoration(code)) this.replace(isSurrogate(code) ? 2 : 1, '');
    else this.at += 1;
  }

  // Puts `text` in place of the next `length` characters.
  private replace(length: number, text: string): void {
    if (this.copied < this.at) this.parts.push(this.source.slice(this.copied, this.at));
    if (text) this.parts.push(text);
    this.at += length;
    this.copied = this.at;
  }

  private run(from: number): number {
    const code = this.source.charCodeAt(from);
    let end = from + 1;
    while (this.source.charCodeAt(end) === code) end += 1;
    return end - from;
  }

  private ticks(): void {
    const length = this.run(this.at);
    const close = this.closingTicks(length);
    if (close === -1) {
      this.replace(length, '');
      return;
    }
    const text = this.source
      .slice(this.at + length, close)
      .replace(/[\uE000\uE001]/g, '')
      .trim();
    this.replace(close + length - this.at, text && CODE_OPEN + text + CODE_CLOSE);
  }

  // A length whose search failed once is not searched again: that keeps a flood of backticks linear.
  private closingTicks(length: number): number {
    if (length > 3 || this.unclosedTicks[length]) return -1;
    let from = seek(this.source, TICK, this.at + length);
    while (from !== -1) {
      const found = this.run(from);
      if (found === length) return from;
      from = seek(this.source, TICK, from + found);
    }
    this.unclosedTicks[length] = true;
    return -1;
  }

  private emphasis(): void {
    const length = this.run(this.at);
    const mark = this.source[this.at];
    const before = this.source[this.at - 1] ?? ' ';
    const after = this.source[this.at + length] ?? ' ';
    const loose = /\s/.test(before) && /\s/.test(after);
    const insideWord = mark === '_' && /\w/.test(before) && /\w/.test(after);
    if (loose || insideWord || (mark === '~' && length !== 2)) this.at += length;
    else this.replace(length, '');
  }

  private openBracket(length: number): void {
    this.replace(length, this.source.slice(this.at, this.at + length));
    this.brackets.push(this.parts.length - 1);
  }

  private closeBracket(): void {
    const open = this.brackets.pop();
    const end = open === undefined ? -1 : this.linkEnd();
    if (open === undefined || end === -1) {
      if (open !== undefined && this.isCodeReference(open)) {
        this.parts[open] = '';
        this.replace(1, '');
      } else {
        this.at += 1;
      }
      return;
    }
    const target = this.source.slice(this.at + 1, end);
    this.replace(end - this.at, '');
    const isImage = this.parts[open] === '![';
    if (isImage || this.isHashLink(open, target)) this.parts.length = open;
    else this.parts[open] = '';
  }

  private nextParen(from: number): number {
    this.parens ??= new Seeker(this.source, PAREN);
    return this.parens.from(from);
  }

  private nextCloser(from: number): number {
    this.closers ??= new Seeker(this.source, BRACKET);
    return this.closers.from(from);
  }

  private nextAngle(from: number): number {
    this.angles ??= new Seeker(this.source, ANGLE);
    return this.angles.from(from);
  }

  // Where the target behind a closing bracket ends, -1 when none follows.
  private linkEnd(): number {
    const { source, at } = this;
    const from = at + 2;
    if (source.charCodeAt(at + 1) === 40) {
      let end = this.nextParen(from);
      if (end === -1 || end - from > LONGEST_ADDRESS) return -1;
      const target = source.slice(from, end);
      if (target.includes('(') && source[end + 1] === ')') end += 1;
      const title = target.trim().search(/\s/);
      return title === -1 || /^["'(]/.test(target.trim().slice(title).trim()) ? end + 1 : -1;
    }
    if (source.charCodeAt(at + 1) === 91) {
      const end = this.nextCloser(from);
      return end === -1 || end - from > 200 || source.slice(from, end).includes('[') ? -1 : end + 1;
    }
    return -1;
  }

  // A code span alone in brackets is a link whose address stands elsewhere.
  private isCodeReference(open: number): boolean {
    const isAlone = this.copied === this.at && this.parts.length === open + 2 && this.parts[open] === '[';
    return isAlone && this.parts[open + 1]?.startsWith(CODE_OPEN) === true;
  }

  private isHashLink(open: number, target: string): boolean {
    if (this.parts.length - open > 4 || !target.includes('/commit')) return false;
    return HASH_LINK.test(this.parts.slice(open + 1).join(''));
  }

  private angle(): void {
    const { source, at } = this;
    if (source.startsWith('<!--', at)) {
      const end = seek(source, COMMENT_END, at + 4);
      this.replace((end === -1 ? source.length : end + 3) - at, '');
    } else if (/^(?:https?:|mailto:)/.test(source.slice(at + 1, at + 9))) {
      const end = this.nextAngle(at);
      const known = end !== -1 && end - at <= LONGEST_ADDRESS;
      this.replace(known ? end + 1 - at : 1, known ? source.slice(at + 1, end) : '');
    } else {
      this.tag();
    }
  }

  private tag(): void {
    TAG.lastIndex = this.at;
    const tag = TAG.exec(this.source);
    const name = tag?.[2]?.toLowerCase() ?? '';
    if (!tag || !KNOWN_TAGS.has(name)) {
      this.at += 1;
      return;
    }
    const code = name === 'code' || name === 'kbd' || name === 'samp' || name === 'tt';
    this.replace(tag[0].length, code ? (tag[1] ? CODE_CLOSE : CODE_OPEN) : SPACING_TAGS.has(name) ? ' ' : '');
  }

  private entity(): void {
    const found = decodeEntity(this.source, this.at);
    if (found) this.replace(found.length, found.text);
    else this.at += 1;
  }

  private escape(): void {
    if (!/[!-/:-@[-`{-~]/.test(this.source[this.at + 1] ?? '')) {
      this.at += 1;
      return;
    }
    this.replace(1, '');
    this.at += 1;
  }

  // A quoted paragraph repeats its `>` on every line.
  private newline(): void {
    let end = this.at + 1;
    while (' \t>'.includes(this.source[end] ?? 'x')) end += 1;
    this.replace(end - this.at, ' ');
  }
}
