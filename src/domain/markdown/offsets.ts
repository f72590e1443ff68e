// Offsets into a text: ranges, binary search in rising lists of offsets, cuts between characters, and forward
// searches that stay linear.

export type TextRange = { start: number; end: number };

// Index of the first offset at or after `at`; the list's length when there is none.
export function firstAtOrAfter(offsets: readonly number[], at: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The last offset in (after, upTo], if any.
export function lastWithin(offsets: readonly number[], after: number, upTo: number): number | undefined {
  const offset = offsets[firstAtOrAfter(offsets, upTo + 1) - 1];
  return offset !== undefined && offset > after ? offset : undefined;
}

// Whether a cut at `at` would separate the two halves of a surrogate pair.
export function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const behind = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && behind >= 0xdc00 && behind < 0xe000;
}

// Searches in loops. V8 treats `indexOf` as free of side effects and has been seen to hoist it
// out of the condition that guards it: it then runs once for each turn of the loop, which is quadratic on a long text
// without a match. A regular expression with `lastIndex` is never hoisted.
export type Needle = { pattern: RegExp; length: number };

// The position of the needle at or after an offset, -1 when there is none.
export function seek(text: string, { pattern, length }: Needle, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - length : -1;
}

// Remembers what it found last. Callers ask for rising positions only, so that all searches together are one pass.
export class Seeker {
  private readonly text: string;
  private readonly needle: Needle;
  private at = -2;

  constructor(text: string, needle: Needle) {
    this.text = text;
    this.needle = needle;
  }

  from(position: number): number {
    if (this.at !== -1 && this.at < position) this.at = seek(this.text, this.needle, position);
    return this.at;
  }
}
