// Markdown or HTML of one paragraph → plain text in one pass: links become their label; images, tags, emphasis and emoji
// vanish; character references are decoded; white space is collapsed. Code spans stay between CODE_OPEN and CODE_CLOSE.
import { CODE_CLOSE, CODE_OPEN, isDecoration, isSurrogate } from '../clean-text.ts';
import { decodeEntity } from '../markdown/entities.ts';
import { type Needle, Seeker, seek } from '../markdown/offsets.ts';
import { InlineCursor, InlineLinks, MAX_URL_LENGTH } from './inline-links.ts';

const TAG = /<(\/?)([a-z][a-z0-9]*)(?=[\s/>])[^<>]*>/iy;
const KNOWN_TAGS = new Set(
  `a abbr article aside audio b big blockquote body br button center cite code col colgroup dd del details div dl
  dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr html i iframe img input ins kbd label li main
  mark nav ol p path picture pre q s samp section small source span strike strong sub summary sup svg table tbody
  td tfoot th thead time tr tt u ul var video`.split(/\s+/),
);
const SPACING_TAGS = new Set(['br', 'p', 'div', 'li', 'td', 'th', 'tr', 'hr', 'dd', 'dt', 'summary']);
const CODE_TAGS = new Set(['code', 'kbd', 'samp', 'tt']);
const MAX_CODE_DELIMITER_LENGTH = 3;

// Characters below 128 at which the parser has to stop.
const STOPS = new Uint8Array(128);
for (const stop of '`*_~[]!<&\\\n') STOPS[stop.charCodeAt(0)] = 1;

const BACKTICK = { pattern: /`/g, length: 1 } satisfies Needle;
const ANGLE = { pattern: />/g, length: 1 } satisfies Needle;
const COMMENT_END = { pattern: /-->/g, length: 3 } satisfies Needle;

// Emphasis begins with a capital or a digit more often than not; names begin with a small letter.
const NAME = /__[a-z][A-Za-z\d]{0,60}(?:__)?(?!\w)/y;
const CLOSING_RUN = /[^\s_]__(?!\w)/g;

function lastClosingRun(source: string): number {
  let last = -1;
  for (const { index } of source.matchAll(CLOSING_RUN)) last = index;
  return last;
}

function isStop(code: number): boolean {
  return code < 128 ? STOPS[code] === 1 : code >= 0x2000;
}

// Characters that mean themselves wherever they stand.
const PLAIN = new Uint8Array(128);
for (const plain of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,;:\'"()/+#@=%?$-') {
  PLAIN[plain.charCodeAt(0)] = 1;
}

// Whether a text has no markup. This walk takes a fraction of the time of a pattern, and it is taken of every entry.
function isPlain(source: string): boolean {
  for (let at = 0; at < source.length; at += 1) if (PLAIN[source.charCodeAt(at)] !== 1) return false;
  return !source.includes('  ');
}

export function inline(source: string): string {
  if (isPlain(source)) return source.trim();
  return new InlineReader(source).read();
}

class InlineReader {
  private readonly cursor: InlineCursor;
  private readonly links: InlineLinks;
  // Lengths of backtick runs that the rest of the text does not close, so that no search for them is repeated.
  private readonly unclosedRuns = [false, false, false, false];
  private angles: Seeker | null = null;
  // Where the last underscores stand that could end emphasis.
  private lastClosing: number | null = null;

  constructor(source: string) {
    this.cursor = new InlineCursor(source);
    this.links = new InlineLinks(this.cursor);
  }

  read(): string {
    const { cursor } = this;
    const { source } = cursor;
    while (cursor.at < source.length) {
      let { at } = cursor;
      while (at < source.length && !isStop(source.charCodeAt(at))) at += 1;
      cursor.at = at;
      if (at < source.length) this.stop(source.charCodeAt(at));
    }
    return cursor.finish();
  }

  private stop(code: number): void {
    const { cursor } = this;
    if (code === 0x60) this.codeSpan();
    else if (code === 0x2a || code === 0x5f || code === 0x7e) this.delimiterRun();
    else if (code === 0x5b) this.links.open(1);
    else if (code === 0x21 && cursor.source.charCodeAt(cursor.at + 1) === 0x5b) this.links.open(2);
    else if (code === 0x5d) this.links.close();
    else if (code === 0x3c) this.angleBracket();
    else if (code === 0x26) this.characterReference();
    else if (code === 0x5c) this.backslash();
    else if (code === 0x0a) this.newline();
    else if (code >= 0x2000 && isDecoration(code)) cursor.replace(isSurrogate(code) ? 2 : 1, '');
    else cursor.at += 1;
  }

  private codeSpan(): void {
    const { cursor } = this;
    const length = cursor.runLength(cursor.at);
    const close = this.closingRun(length);
    if (close === -1) {
      cursor.replace(length, '');
      return;
    }
    const text = cursor.source
      .slice(cursor.at + length, close)
      .replace(/[\uE000\uE001]/g, '')
      .trim();
    cursor.replace(close + length - cursor.at, text && CODE_OPEN + text + CODE_CLOSE);
  }

  private closingRun(length: number): number {
    if (length > MAX_CODE_DELIMITER_LENGTH || this.unclosedRuns[length]) return -1;
    const { source, at } = this.cursor;
    let from = seek(source, BACKTICK, at + length);
    while (from !== -1) {
      const found = this.cursor.runLength(from);
      if (found === length) return from;
      from = seek(source, BACKTICK, from + found);
    }
    this.unclosedRuns[length] = true;
    return -1;
  }

  // Emphasis vanishes. A run between spaces is an operator or a bullet, an underscore inside a word is part of a name.
  private delimiterRun(): void {
    const { cursor } = this;
    const { source, at } = cursor;
    const length = cursor.runLength(at);
    const character = source[at];
    const before = source[at - 1] ?? ' ';
    const after = source[at + length] ?? ' ';
    const name = character === '_' && length === 2 && !/\w/.test(before) ? this.nameAt(at) : 0;
    if (name > 0) {
      cursor.at += name;
      return;
    }
    const isLoose = /\s/.test(before) && /\s/.test(after);
    const isInWord = character === '_' && /\w/.test(before) && /\w/.test(after);
    if (isLoose || isInWord || (character === '~' && length !== 2)) cursor.at += length;
    else cursor.replace(length, '');
  }

  // The length of a name such as `__proto__` or `__dirname`, which is no emphasis; 0 where there is none.
  private nameAt(at: number): number {
    const { source } = this.cursor;
    NAME.lastIndex = at;
    const name = NAME.exec(source)?.[0] ?? '';
    if (name.endsWith('__')) return name.length;
    this.lastClosing ??= lastClosingRun(source);
    return this.lastClosing < at ? name.length : 0;
  }

  private angleBracket(): void {
    const { source, at } = this.cursor;
    if (source.startsWith('<!--', at)) {
      const end = seek(source, COMMENT_END, at + 4);
      this.cursor.replace((end === -1 ? source.length : end + 3) - at, '');
    } else if (/^(?:https?:|mailto:)/.test(source.slice(at + 1, at + 9))) {
      this.angles ??= new Seeker(source, ANGLE);
      const end = this.angles.from(at);
      const isAutolink = end !== -1 && end - at <= MAX_URL_LENGTH;
      this.cursor.replace(isAutolink ? end + 1 - at : 1, isAutolink ? source.slice(at + 1, end) : '');
    } else {
      this.tag();
    }
  }

  private tag(): void {
    TAG.lastIndex = this.cursor.at;
    const tag = TAG.exec(this.cursor.source);
    const name = tag?.[2]?.toLowerCase() ?? '';
    if (!tag || !KNOWN_TAGS.has(name)) {
      this.cursor.at += 1;
      return;
    }
    const codeDelimiter = tag[1] ? CODE_CLOSE : CODE_OPEN;
    this.cursor.replace(tag[0].length, CODE_TAGS.has(name) ? codeDelimiter : SPACING_TAGS.has(name) ? ' ' : '');
  }

  private characterReference(): void {
    const found = decodeEntity(this.cursor.source, this.cursor.at);
    // A zero-width space before a label would hide it.
    if (found) this.cursor.replace(found.length, isDecoration(found.text.charCodeAt(0)) ? '' : found.text);
    else this.cursor.at += 1;
  }

  private backslash(): void {
    const { cursor } = this;
    if (/[!-/:-@[-`{-~]/.test(cursor.source[cursor.at + 1] ?? '')) cursor.replace(1, '');
    cursor.at += 1;
  }

  // A quoted paragraph repeats its `>` on every line.
  private newline(): void {
    const { source, at } = this.cursor;
    let end = at + 1;
    while (' \t>'.includes(source[end] ?? 'x')) end += 1;
    this.cursor.replace(end - at, ' ');
  }
}
