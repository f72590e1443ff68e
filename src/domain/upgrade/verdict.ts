// The verdict on a range of releases.
const VERDICTS = ['major', 'minor', 'unknown', 'none'] as const;
type RangeVerdict = (typeof VERDICTS)[number];
export type VerdictCounts = Record<'major' | 'minor' | 'none' | 'unknown', number>;

export function noVerdicts(): VerdictCounts {
  return { major: 0, minor: 0, none: 0, unknown: 0 };
}

// The worst verdict that any release has; unknown is worse than none.
export function worstVerdict(counts: VerdictCounts): RangeVerdict | null {
  return VERDICTS.find((verdict) => counts[verdict] > 0) ?? null;
}

export function isBreaking(verdict: string): boolean {
  return verdict === 'major' || verdict === 'minor';
}
