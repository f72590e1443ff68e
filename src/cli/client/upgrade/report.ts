// The report on a list of judged changes: order, totals, and whether a check fails.
import type { WhatsChanged } from '../../../contract/whats-changed.ts';
import { isDowngrade } from '../../../domain/upgrade/lockfiles/upgrades.ts';
import type { JudgedChange } from './judge-changes.ts';
import type { Risk } from './verdict.ts';

// Worst first: an unknown risk is worse than none.
const ORDER: readonly (Risk | null)[] = ['major', 'minor', 'unknown', 'not_tracked', 'none', null];

export const FAIL_ON = ['major', 'minor', 'unknown'] as const;
export type FailOn = (typeof FAIL_ON)[number];

interface UpgradeTotals {
  major: number;
  minor: number;
  // Those without a verdict that are tracked, or that nobody could track.
  unknown: number;
  not_tracked: number;
  none: number;
  added: number;
  removed: number;
}

export function byRisk(changes: readonly JudgedChange[]): JudgedChange[] {
  const rank = ({ level }: JudgedChange) => ORDER.indexOf(level);
  const isDirect = ({ direct }: JudgedChange) => Number(direct === true);
  return changes.toSorted((a, b) => rank(a) - rank(b) || isDirect(b) - isDirect(a) || (a.name < b.name ? -1 : 1));
}

// By the notes alone, or as the changes are shown.
export function totalsOf(changes: readonly JudgedChange[], by: 'risk' | 'level' = 'level'): UpgradeTotals {
  const count = (counts: (change: JudgedChange) => boolean) => changes.filter(counts).length;
  return {
    major: count((change) => change[by] === 'major'),
    minor: count((change) => change[by] === 'minor'),
    unknown: count((change) => change[by] === 'unknown'),
    not_tracked: count((change) => change[by] === 'not_tracked'),
    none: count((change) => change[by] === 'none'),
    added: count(({ from }) => from === null),
    removed: count(({ from, to }) => from !== null && to === null),
  };
}

export function totalLine(totals: UpgradeTotals): string {
  const { major, minor, unknown, none, not_tracked, added, removed } = totals;
  const others = [added > 0 && `${added} added`, removed > 0 && `${removed} removed`].filter(Boolean);
  const line = `${major} ${major === 1 ? 'breaks' : 'break'}, ${minor} may break, ${unknown} not known, ${not_tracked} not tracked, ${none} without a sign of a break`;
  return [line, ...others].join(', ');
}

// The changes that reach the risk at which the check fails.
export function failing<T extends { risk: Risk | null }>(changes: readonly T[], failOn: FailOn | undefined): T[] {
  if (failOn === undefined) return [];
  // What is not tracked is as unknown as what is not judged.
  const least = ORDER.indexOf(failOn === 'unknown' ? 'not_tracked' : failOn);
  return changes.filter(({ risk }) => risk !== null && ORDER.indexOf(risk) <= least);
}

export function isBreak({ level }: { level: Risk | null }): boolean {
  return level === 'major' || level === 'minor';
}

// What the report cannot tell, whatever the reason.
export function isNotKnown({ level }: { level: Risk | null }): boolean {
  return level === 'unknown' || level === 'not_tracked';
}

// The changes that a check by `--fail-on` cannot judge.
export function unjudged<T extends { risk: Risk | null }>(changes: readonly T[]): T[] {
  return changes.filter(({ risk }) => risk === 'unknown' || risk === 'not_tracked');
}

// Why changes could not be judged, with how many each: `3 not tracked, 1 downgrade`.
export function unjudgedLine(changes: readonly JudgedChange[]): string {
  const reasons = unjudged(changes).map((change) => {
    if (change.source !== 'registry') return 'not from a registry';
    if (isDowngrade(change)) return 'a downgrade';
    return change.risk === 'not_tracked' ? 'not tracked' : 'unknown';
  });
  const counts = Map.groupBy(reasons, (reason) => reason);
  return [...counts].map(([reason, all]) => `${all.length} ${reason}`).join(', ');
}

// The first release of the worst kind, where the answer shows or names all releases of that kind.
export function firstOfWorst(risk: Risk | null, answer: WhatsChanged | null): string | null {
  if (answer === null || (risk !== 'major' && risk !== 'minor')) return null;
  const named = [...(answer.omittedBreaking ?? []), ...answer.entries].filter(({ breaking }) => breaking === risk);
  const isWhole = named.length >= answer.summary.breaking[risk];
  return isWhole ? (named[0]?.version ?? null) : null;
}
