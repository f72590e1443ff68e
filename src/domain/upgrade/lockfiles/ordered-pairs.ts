// Pairs two lists of copies in the order of their versions.
import type { LockedPackage } from './types.ts';

const MOST_COMPARED = 10_000;

// Both lists are sorted by version. No two pairs cross; where one list is longer, those are left over that leave the most
// pairs within a major version, and else the highest.
export function orderedPairs(
  older: readonly LockedPackage[],
  newer: readonly LockedPackage[],
): [LockedPackage, LockedPackage][] {
  const [few, many] = older.length <= newer.length ? [older, newer] : [newer, older];
  const chosen = few.length * many.length > MOST_COMPARED ? few.map((_, index) => index) : chosenPartners(few, many);
  return few.map((one, index) => {
    const other = many[chosen[index] ?? 0] as LockedPackage;
    return few === older ? [one, other] : [other, one];
  });
}

// For each of the shorter list the position of its partner in the longer one.
function chosenPartners(few: readonly LockedPackage[], many: readonly LockedPackage[]): number[] {
  const spare = many.length - few.length;
  // best[i][s]: most pairs within a major version from the i-th on, when s have been left over before it.
  const best = Array.from({ length: few.length + 1 }, () => new Array<number>(spare + 1).fill(0));
  for (let at = few.length - 1; at >= 0; at -= 1) {
    for (let skipped = spare; skipped >= 0; skipped -= 1) {
      const taken = scoreOf(few[at], many[at + skipped]) + (best[at + 1]?.[skipped] ?? 0);
      const later = skipped < spare ? (best[at]?.[skipped + 1] ?? 0) : -1;
      (best[at] as number[])[skipped] = Math.max(taken, later);
    }
  }
  let skipped = 0;
  return few.map((one, at) => {
    const goal = best[at]?.[skipped] ?? 0;
    while (skipped < spare && scoreOf(one, many[at + skipped]) + (best[at + 1]?.[skipped] ?? 0) < goal) skipped += 1;
    return at + skipped;
  });
}

function scoreOf(one: LockedPackage | undefined, other: LockedPackage | undefined): number {
  return majorOf(one) === majorOf(other) ? 1 : 0;
}

function majorOf(one: LockedPackage | undefined): string {
  return /\d+/.exec(one?.version ?? '')?.[0] ?? '';
}
