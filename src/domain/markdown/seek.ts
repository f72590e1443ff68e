// Forward searches in loops that stay linear. V8 treats `indexOf` as free of side effects and has been seen to hoist it
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
