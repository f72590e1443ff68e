// Searches that are guarded by a condition. The engine counts `indexOf` as free of effects and has been seen to run it
// ahead of its guard, once for each turn of a loop: quadratic on a long text without a match. A pattern with
// `lastIndex` stays in its place.
export type Needle = { pattern: RegExp; length: number };

// The position of the needle at or after an offset, -1 when there is none.
export function seek(text: string, { pattern, length }: Needle, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - length : -1;
}

// Seeks for positions that only grow, so that all calls together cost one pass.
export class Seeker {
  private readonly text: string;
  private readonly needle: Needle;
  private at = -2;

  constructor(text: string, sought: Needle) {
    this.text = text;
    this.needle = sought;
  }

  from(position: number): number {
    if (this.at !== -1 && this.at < position) this.at = seek(this.text, this.needle, position);
    return this.at;
  }
}
