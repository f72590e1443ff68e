// Whether one text becomes the other by at most `most` changes: a letter more, less or other, or two that swap.
export function isWithinEdits(a: string, b: string, most: number): boolean {
  const from = [...a];
  const to = [...b];
  if (Math.abs(from.length - to.length) > most) return false;
  const width = to.length + 1;
  // Three rows of the edit-distance table; only cells near the diagonal can stay within the limit.
  let before = new Array<number>(width).fill(FAR);
  let row = Array.from({ length: width }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = new Array<number>(width).fill(FAR);
    if (i <= most) next[0] = i;
    let least = i <= most ? i : FAR;
    const last = Math.min(to.length, i + most);
    for (let j = Math.max(1, i - most); j <= last; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let cost = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) cost = Math.min(cost, at(before, j - 2) + 1);
      next[j] = cost;
      least = Math.min(least, cost);
    }
    // A swap reaches back two rows, so a single row above the limit does not end the search yet.
    if (least > most + 1) return false;
    before = row;
    row = next;
  }
  return at(row, to.length) <= most;
}

const FAR = 1_000_000;

function at(row: readonly number[], index: number): number {
  return row[index] ?? FAR;
}
