// Runs of `*`, `_` and `~` and the pairs that they make. Openers that a closer of some kind did not find are not looked
// at again for that kind, so the work is linear in the number of runs.
import type { Piece } from './inline-pieces.ts';

export interface Delimiter {
  character: string;
  count: number;
  // As written, for the rule of three.
  length: number;
  canOpen: boolean;
  canClose: boolean;
  piece: Piece;
  previous: Delimiter | null;
  next: Delimiter | null;
  // Where it stands in the order of runs.
  index: number;
}

const SPACE = /[\s\p{Z}]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

// Whether a run between these two characters may open or close emphasis; the empty text is the border.
export function flanking(character: string, before: string, after: string): { canOpen: boolean; canClose: boolean } {
  const spaceAfter = after === '' || SPACE.test(after);
  const spaceBefore = before === '' || SPACE.test(before);
  const markAfter = PUNCTUATION.test(after);
  const markBefore = PUNCTUATION.test(before);
  const left = !spaceAfter && (!markAfter || spaceBefore || markBefore);
  const right = !spaceBefore && (!markBefore || spaceAfter || markAfter);
  if (character !== '_') return { canOpen: left, canClose: right };
  return { canOpen: left && (!right || markBefore), canClose: right && (!left || markAfter) };
}

export class Delimiters {
  last: Delimiter | null = null;
  #count = 0;

  push(facts: Omit<Delimiter, 'previous' | 'next' | 'index'>): void {
    const delimiter: Delimiter = { ...facts, previous: this.last, next: null, index: this.#count };
    this.#count += 1;
    if (this.last) this.last.next = delimiter;
    this.last = delimiter;
  }

  // Pairs the runs behind `bottom` and forgets them.
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

  // Returns the run to go on with.
  #join(opener: Delimiter, closer: Delimiter): Delimiter | null {
    const isStrike = closer.character === '~';
    const used = isStrike ? closer.count : opener.count >= 2 && closer.count >= 2 ? 2 : 1;
    const element = isStrike ? 'del' : used === 2 ? 'strong' : 'em';
    opener.count -= used;
    closer.count -= used;
    opener.piece.after = `<${element}>${opener.piece.after}`;
    closer.piece.before += `</${element}>`;
    // What stands between a pair can pair with nothing outside.
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
    // Of a run that can do both, lengths that sum to a multiple of three pair only when both are one.
    const both = one.canClose || closer.canOpen;
    if (both && (one.length + closer.length) % 3 === 0 && !(one.length % 3 === 0 && closer.length % 3 === 0)) continue;
    return one;
  }
  return null;
}
