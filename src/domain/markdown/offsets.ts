// Offsets into a text: ranges, binary search in rising lists of offsets, and cuts between characters.

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
