// The report on a list of judged changes: order, totals, and whether a check fails.
import type { JudgedChange } from './judge-changes.ts';
import type { Risk } from './verdict.ts';

// Worst first: an unknown risk is worse than none.
const ORDER: readonly (Risk | null)[] = ['major', 'minor', 'unknown', 'none', null];

export const FAIL_ON = ['major', 'minor', 'unknown'] as const;
export type FailOn = (typeof FAIL_ON)[number];

interface UpgradeTotals {
  major: number;
  minor: number;
  // Tracked packages without a verdict.
  unknown: number;
  none: number;
  untracked: number;
  added: number;
  removed: number;
}

export function byRisk(changes: readonly JudgedChange[]): JudgedChange[] {
  const rank = ({ risk }: JudgedChange) => ORDER.indexOf(risk);
  const isDirect = ({ direct }: JudgedChange) => Number(direct === true);
  return changes.toSorted((a, b) => rank(a) - rank(b) || isDirect(b) - isDirect(a) || (a.name < b.name ? -1 : 1));
}

export function totalsOf(changes: readonly JudgedChange[]): UpgradeTotals {
  const count = (counts: (change: JudgedChange) => boolean) => changes.filter(counts).length;
  return {
    major: count(({ risk }) => risk === 'major'),
    minor: count(({ risk }) => risk === 'minor'),
    unknown: count(({ risk, isTracked }) => risk === 'unknown' && isTracked),
    none: count(({ risk }) => risk === 'none'),
    untracked: count(({ risk, isTracked }) => risk === 'unknown' && !isTracked),
    added: count(({ from }) => from === null),
    removed: count(({ from, to }) => from !== null && to === null),
  };
}

export function totalLine(totals: UpgradeTotals): string {
  const { major, minor, unknown, none, untracked, added, removed } = totals;
  const others = [added > 0 && `${added} added`, removed > 0 && `${removed} removed`].filter(Boolean);
  const line = `${major} major, ${minor} minor, ${unknown} unknown, ${untracked} not tracked, ${none} without a break`;
  return [line, ...others].join(', ');
}

// The changes that reach the risk at which the check fails.
export function failing<T extends { risk: Risk | null }>(changes: readonly T[], failOn: FailOn | undefined): T[] {
  if (failOn === undefined) return [];
  const least = ORDER.indexOf(failOn);
  return changes.filter(({ risk }) => risk !== null && ORDER.indexOf(risk) <= least);
}

export function isBreak({ risk }: { risk: Risk | null }): boolean {
  return risk === 'major' || risk === 'minor';
}
