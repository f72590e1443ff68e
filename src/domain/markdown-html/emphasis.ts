// Delimiter runs of `*`, `_` and `~`, and the emphasis that pairs of them make. A search for an opener that failed is not
// repeated for the same kind of closer, so that the work is linear in the number of runs.
import type { Piece } from './inline-pieces.ts';

export interface Delimiter {
  character: string;
  // Characters that are not yet used up by a pair.
  count: number;
  // Length of the run as written, which decides whether two runs may pair.
  length: number;
  canOpen: boolean;
  canClose: boolean;
  piece: Piece;
  previous: Delimiter | null;
  next: Delimiter | null;
  // Its number among all runs of the text.
  index: number;
}

const SPACE = /[\s\p{Z}]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

interface DelimiterRun {
  character: string;
  length: number;
  canOpen: boolean;
  canClose: boolean;
}

// The delimiter run at a position. Its neighbours decide whether it is left-flanking, right-flanking or both.
export function readRun(text: string, start: number): DelimiterRun {
  const character = text[start] as string;
  let end = start;
  while (text[end] === character) end += 1;
  return {
    character,
    length: end - start,
    ...flanking(character, characterBefore(text, start), characterAt(text, end)),
  };
}

// The empty string is the border of the text, which counts as white space.
function flanking(character: string, before: string, after: string): { canOpen: boolean; canClose: boolean } {
  const spaceAfter = after === '' || SPACE.test(after);
  const spaceBefore = before === '' || SPACE.test(before);
  const punctuationAfter = PUNCTUATION.test(after);
  const punctuationBefore = PUNCTUATION.test(before);
  const left = !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore);
  const right = !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter);
  if (character !== '_') return { canOpen: left, canClose: right };
  return { canOpen: left && (!right || punctuationBefore), canClose: right && (!left || punctuationAfter) };
}

export class Delimiters {
  last: Delimiter | null = null;
  #count = 0;

  push(run: Omit<Delimiter, 'previous' | 'next' | 'index'>): void {
    const delimiter: Delimiter = { ...run, previous: this.last, next: null, index: this.#count };
    this.#count += 1;
    if (this.last) this.last.next = delimiter;
    this.last = delimiter;
  }

  // Pairs the runs behind `bottom` and removes them from the list.
  pair(bottom: Delimiter | null): void {
    const exhausted = new Map<string, number>();
    const bottomIndex = bottom?.index ?? -1;
    let closer = this.#first(bottom);
    while (closer) {
      if (!closer.canClose) {
        closer = closer.next;
        continue;
      }
      const kind = kindOf(closer);
      const opener = findOpener(closer, Math.max(bottomIndex, exhausted.get(kind) ?? -1));
      if (opener === null) {
        exhausted.set(kind, closer.previous?.index ?? -1);
        const next: Delimiter | null = closer.next;
        if (!closer.canOpen) this.#remove(closer);
        closer = next;
        continue;
      }
      closer = this.#join(opener, closer);
    }
    while (this.last && this.last.index > bottomIndex) this.#remove(this.last);
  }

  // Makes emphasis of a pair and returns the run to go on with.
  #join(opener: Delimiter, closer: Delimiter): Delimiter | null {
    const isStrike = closer.character === '~';
    const used = isStrike ? closer.count : opener.count >= 2 && closer.count >= 2 ? 2 : 1;
    const element = isStrike ? 'del' : used === 2 ? 'strong' : 'em';
    opener.count -= used;
    closer.count -= used;
    opener.piece.after = `<${element}>${opener.piece.after}`;
    closer.piece.before += `</${element}>`;
    // Runs between the two cannot pair with any outside.
    opener.next = closer;
    closer.previous = opener;
    opener.piece.text = opener.character.repeat(opener.count);
    closer.piece.text = closer.character.repeat(closer.count);
    if (opener.count === 0) this.#remove(opener);
    if (closer.count > 0) return closer;
    const { next } = closer;
    this.#remove(closer);
    return next;
  }

  #first(bottom: Delimiter | null): Delimiter | null {
    if (bottom) return bottom.next;
    let first = this.last;
    while (first?.previous) first = first.previous;
    return first;
  }

  #remove({ previous, next }: Delimiter): void {
    if (previous) previous.next = next;
    if (next) next.previous = previous;
    else this.last = previous;
  }
}

function kindOf({ character, canOpen, length }: Delimiter): string {
  return character === '~' ? `~${length}` : `${character}${canOpen ? 1 : 0}${length % 3}`;
}

function findOpener(closer: Delimiter, above: number): Delimiter | null {
  for (let one = closer.previous; one && one.index > above; one = one.previous) {
    if (one.character !== closer.character || !one.canOpen) continue;
    if (closer.character === '~') {
      if (one.count === closer.count) return one;
      continue;
    }
    // CommonMark's rule of three: where one of the two runs can open and close, they do not pair when their lengths
    // together are a multiple of three, unless each of them is.
    const both = one.canClose || closer.canOpen;
    if (both && (one.length + closer.length) % 3 === 0 && !(one.length % 3 === 0 && closer.length % 3 === 0)) continue;
    return one;
  }
  return null;
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
