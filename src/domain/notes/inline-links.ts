// Links and images of a paragraph: a link becomes its label, an image and a link to a commit vanish.

import { CODE_OPEN } from '../clean-text.ts';
import { type Needle, Seeker } from '../markdown/offsets.ts';

const COMMIT_LABEL = /^\uE000?[0-9a-f]{6,40}\uE001?$/;
export const MAX_URL_LENGTH = 2000;
const MAX_LABEL_LENGTH = 200;
const OPEN_PARENTHESIS = 0x28;
const OPEN_BRACKET = 0x5b;
const PARENTHESIS = { pattern: /\)/g, length: 1 } satisfies Needle;
const BRACKET = { pattern: /\]/g, length: 1 } satisfies Needle;

export class InlineLinks {
  private readonly cursor: InlineCursor;
  // Index in the cursor's parts of each opening bracket that has no counterpart yet.
  private readonly brackets: number[] = [];
  private parentheses: Seeker | null = null;
  private closers: Seeker | null = null;

  constructor(cursor: InlineCursor) {
    this.cursor = cursor;
  }

  // Takes `[` or `![`.
  open(length: number): void {
    const { cursor } = this;
    cursor.replace(length, cursor.source.slice(cursor.at, cursor.at + length));
    this.brackets.push(cursor.parts.length - 1);
  }

  close(): void {
    const { cursor } = this;
    const open = this.brackets.pop();
    const end = open === undefined ? -1 : this.targetEnd();
    if (open === undefined || end === -1) {
      if (open !== undefined && this.isCodeReference(open)) {
        cursor.parts[open] = '';
        cursor.replace(1, '');
      } else {
        cursor.at += 1;
      }
      return;
    }
    const target = cursor.source.slice(cursor.at + 1, end);
    cursor.replace(end - cursor.at, '');
    const isImage = cursor.parts[open] === '![';
    if (isImage || this.isCommitLink(open, target)) cursor.parts.length = open;
    else cursor.parts[open] = '';
  }

  // Where the destination or label behind the closing bracket ends, -1 when there is none.
  private targetEnd(): number {
    const { source, at } = this.cursor;
    const from = at + 2;
    const next = source.charCodeAt(at + 1);
    if (next === OPEN_PARENTHESIS) {
      this.parentheses ??= new Seeker(source, PARENTHESIS);
      let end = this.parentheses.from(from);
      if (end === -1 || end - from > MAX_URL_LENGTH) return -1;
      const target = source.slice(from, end);
      if (target.includes('(') && source[end + 1] === ')') end += 1;
      const title = target.trim().search(/\s/);
      return title === -1 || /^["'(]/.test(target.trim().slice(title).trim()) ? end + 1 : -1;
    }
    if (next !== OPEN_BRACKET) return -1;
    this.closers ??= new Seeker(source, BRACKET);
    const end = this.closers.from(from);
    return end === -1 || end - from > MAX_LABEL_LENGTH || source.slice(from, end).includes('[') ? -1 : end + 1;
  }

  // A code span alone in brackets is a shortcut reference link, whose definition is elsewhere.
  private isCodeReference(open: number): boolean {
    const { parts, copied, at } = this.cursor;
    const isAlone = copied === at && parts.length === open + 2 && parts[open] === '[';
    return isAlone && parts[open + 1]?.startsWith(CODE_OPEN) === true;
  }

  private isCommitLink(open: number, target: string): boolean {
    const { parts } = this.cursor;
    if (parts.length - open > 4 || !target.includes('/commit')) return false;
    return COMMIT_LABEL.test(parts.slice(open + 1).join(''));
  }
}

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
