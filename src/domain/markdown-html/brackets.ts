// Links, images and footnote references: what the brackets of a text enclose and where they lead.

import type { Definitions } from '../markdown/definitions.ts';
import { type LinkTarget, labelKey, readInlineTarget, readLabel } from '../markdown/link-parts.ts';
import type { Delimiter, Delimiters } from './emphasis.ts';
import { escapeText, escapeUrl } from './escape.ts';
import { addPiece, type Piece, piecesHtml } from './inline-pieces.ts';

interface Bracket {
  // Index of the piece with the opening bracket.
  piece: number;
  // Position of the text behind it.
  at: number;
  isImage: boolean;
  // The last delimiter before it: emphasis inside of a link ends there.
  delimiters: Delimiter | null;
  // Another bracket was opened inside, so that its text cannot be a link label.
  isNested: boolean;
}

interface InlineState {
  pieces: Piece[];
  delimiters: Delimiters;
  definitions: Definitions;
}

const MAX_LABEL_LENGTH = 999;
const MAX_DESCRIPTION_LENGTH = 1_000;

export class Brackets {
  readonly #text: string;
  readonly #pieces: Piece[];
  readonly #delimiters: Delimiters;
  readonly #definitions: Definitions;
  readonly #open: Bracket[] = [];
  // Links do not nest: the brackets below this depth enclose a link already and open no other.
  #inactiveBelow = 0;

  constructor(text: string, { pieces, delimiters, definitions }: InlineState) {
    this.#text = text;
    this.#pieces = pieces;
    this.#delimiters = delimiters;
    this.#definitions = definitions;
  }

  get isInside(): boolean {
    return this.#open.length > 0;
  }

  // Takes the opening bracket at a position and returns the position behind it.
  open(at: number, isImage: boolean): number {
    const footnote = !isImage && this.#text[at + 1] === '^' ? this.#definitions.footnotes.refer(this.#text, at) : null;
    if (footnote !== null) {
      addPiece(this.#pieces, `<sup data-note-ref="${footnote.number}">${footnote.number}</sup>`);
      return footnote.end;
    }
    const outer = this.#open.at(-1);
    if (outer) outer.isNested = true;
    const opening = isImage ? '![' : '[';
    addPiece(this.#pieces, opening);
    const end = at + opening.length;
    this.#open.push({
      piece: this.#pieces.length - 1,
      at: end,
      isImage,
      delimiters: this.#delimiters.last,
      isNested: false,
    });
    return end;
  }

  // The position behind the link or image that the bracket at `at` closes; null when the bracket is text.
  close(at: number): number | null {
    const bracket = this.#open.pop();
    if (bracket === undefined) return null;
    const isInactive = !bracket.isImage && this.#open.length < this.#inactiveBelow;
    this.#inactiveBelow = Math.min(this.#inactiveBelow, this.#open.length);
    const target = isInactive ? null : (readInlineTarget(this.#text, at + 1) ?? this.#referenceTarget(bracket, at));
    if (target === null) return null;
    this.#delimiters.pair(bracket.delimiters);
    if (bracket.isImage) this.#image(bracket, target);
    else this.#link(bracket, target);
    return target.end;
  }

  // `[text][label]`, `[label][]` or `[label]`.
  #referenceTarget(bracket: Bracket, at: number): LinkTarget | null {
    const { references } = this.#definitions;
    if (references.size === 0) return null;
    const label = readLabel(this.#text, at + 1);
    const isFull = label !== null && label.key !== '';
    if (!isFull && (bracket.isNested || at - bracket.at > MAX_LABEL_LENGTH)) return null;
    const key = isFull ? label.key : labelKey(this.#text.slice(bracket.at, at));
    const found = key === '' ? undefined : references.get(key);
    return found ? { ...found, end: label?.end ?? at + 1 } : null;
  }

  #image({ piece }: Bracket, target: LinkTarget): void {
    const [, ...inner] = this.#pieces.splice(piece);
    const description = descriptionOf(piecesHtml(inner));
    addPiece(
      this.#pieces,
      `<img src="${escapeUrl(target.destination)}" alt="${description}"${titleAttribute(target)} />`,
    );
  }

  #link({ piece }: Bracket, target: LinkTarget): void {
    const opening = this.#pieces[piece] as Piece;
    opening.text = `<a href="${escapeUrl(target.destination)}"${titleAttribute(target)}>`;
    for (let index = piece + 1; index < this.#pieces.length; index += 1) {
      const inner = this.#pieces[index] as Piece;
      if (inner.plain !== undefined) inner.text = inner.plain;
    }
    addPiece(this.#pieces, '</a>');
    this.#inactiveBelow = this.#open.length;
  }
}

function titleAttribute({ title }: LinkTarget): string {
  return title === null ? '' : ` title="${escapeText(title)}"`;
}

// The text of an image description without markup; an image inside of it counts by its own description.
function descriptionOf(html: string): string {
  const text = html
    .slice(0, 8 * MAX_DESCRIPTION_LENGTH)
    .replace(/<img [^>]*alt="([^"]*)"[^>]*>|<[^>]*>/g, '$1')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text;
  // The cut must not leave half of a character reference.
  return text.slice(0, MAX_DESCRIPTION_LENGTH).replace(/&[^;]{0,32}$/, '');
}
