// Which published packages of a range are compared with each other: first its two ends, then each step to another major
// version, and last what is needed to say in which version a finding of the whole range appeared.

// The versions of a range are named by their place in it, lowest first; the first one is `from`, the last one `to`.
interface PlacedPair {
  from: number;
  to: number;
}

export const PAIR_RANKS = ['range', 'major', 'located', 'ahead'] as const;
export type PairRank = (typeof PAIR_RANKS)[number];

export interface RankedPair extends PlacedPair {
  rank: PairRank;
}

// All comparisons for one range together.
export const MAX_COMPARISONS = 8;

// The pairs that a question about a range asks for. Of many major steps the newest are taken.
export function pairsOfRange(versions: readonly { major: string }[]): RankedPair[] {
  const last = versions.length - 1;
  if (last < 1) return [];
  const pairs: RankedPair[] = [];
  for (let to = last; to > 0 && last > 1 && pairs.length < MAX_COMPARISONS - 1; to -= 1) {
    if (versions[to]?.major !== versions[to - 1]?.major) pairs.push({ from: to - 1, to, rank: 'major' });
  }
  return [{ from: 0, to: last, rank: 'range' }, ...pairs.reverse()];
}

export function majorOf(version: string): string {
  return /^\D*(\d+)/.exec(version)?.[1] ?? version;
}

export interface ComparedPair extends PlacedPair {
  // Null when the packages could not be compared.
  findings: ReadonlySet<string> | null;
  // Findings were left out, so that one that is missing here may be there all the same.
  isCut: boolean;
}

// The next pair that narrows down where findings of the whole range appeared; null when all are located as well as they
// can be. The interval with the most findings comes first.
export function nextToLocate(count: number, compared: readonly ComparedPair[], ordered = 0): PlacedPair | null {
  if (compared.length + ordered >= MAX_COMPARISONS) return null;
  const whole = compared.find(({ from, to }) => from === 0 && to === count - 1);
  const intervals = new Map<string, { interval: PlacedPair; findings: number }>();
  for (const finding of whole?.findings ?? []) {
    const interval = intervalOf(finding, count, compared);
    if (interval.to - interval.from < 2) continue;
    const key = `${interval.from} ${interval.to}`;
    const known = intervals.get(key);
    intervals.set(key, { interval, findings: (known?.findings ?? 0) + 1 });
  }
  const fullest = [...intervals.values()].sort((a, b) => b.findings - a.findings);
  for (const { interval } of fullest) {
    const half = halvesOf(interval).find((one) => !compared.some((other) => isSamePair(one, other)));
    if (half) return half;
  }
  return null;
}

// The narrowest interval in which a finding of the whole range is known to have appeared: inside of every pair that shows it,
// and behind or before those that do not.
export function intervalOf(finding: string, count: number, compared: readonly ComparedPair[]): PlacedPair {
  let [from, to] = [0, count - 1];
  for (let before = -1; before !== to - from; ) {
    before = to - from;
    for (const pair of compared) {
      const overlaps = pair.from < to && pair.to > from;
      if (!overlaps || pair.findings === null) continue;
      if (pair.findings.has(finding)) [from, to] = [Math.max(from, pair.from), Math.min(to, pair.to)];
      else if (pair.isCut) continue;
      else if (pair.from <= from && pair.to < to) from = pair.to;
      else if (pair.to >= to && pair.from > from) to = pair.from;
    }
  }
  return { from, to };
}

// The second half is asked only where the first one could not be compared.
function halvesOf({ from, to }: PlacedPair): PlacedPair[] {
  const middle = Math.floor((from + to) / 2);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

function isSamePair(one: PlacedPair, other: PlacedPair): boolean {
  return one.from === other.from && one.to === other.to;
}
