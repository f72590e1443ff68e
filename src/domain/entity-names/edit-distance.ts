/** Whether one text becomes the other by at most `most` changes: a letter more, less or other, or two that swap. */
export function isWithinEdits(a: string, b: string, most: number): boolean {
  const from = [...a];
  const to = [...b];
  if (Math.abs(from.length - to.length) > most) return false;
  let before: number[] = [];
  let row = to.map((_, index) => index + 1);
  row.unshift(0);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let cost = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) cost = Math.min(cost, at(before, j - 2) + 1);
      next.push(cost);
      least = Math.min(least, cost);
    }
    // A swap reaches back two rows, so one row above the limit does not end it yet.
    if (least > most + 1) return false;
    before = row;
    row = next;
  }
  return at(row, to.length) <= most;
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
