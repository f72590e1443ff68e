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
  const rank = ({ risk }: JudgedChange) => ORDER.indexOf(risk);
  const isDirect = ({ direct }: JudgedChange) => Number(direct === true);
  return changes.toSorted((a, b) => rank(a) - rank(b) || isDirect(b) - isDirect(a) || (a.name < b.name ? -1 : 1));
}

export function totalsOf(changes: readonly JudgedChange[]): UpgradeTotals {
  const count = (counts: (change: JudgedChange) => boolean) => changes.filter(counts).length;
  return {
    major: count(({ risk }) => risk === 'major'),
    minor: count(({ risk }) => risk === 'minor'),
    unknown: count(({ risk }) => risk === 'unknown'),
    not_tracked: count(({ risk }) => risk === 'not_tracked'),
    none: count(({ risk }) => risk === 'none'),
    added: count(({ from }) => from === null),
    removed: count(({ from, to }) => from !== null && to === null),
  };
}

export function totalLine(totals: UpgradeTotals): string {
  const { major, minor, unknown, none, not_tracked, added, removed } = totals;
  const others = [added > 0 && `${added} added`, removed > 0 && `${removed} removed`].filter(Boolean);
  const line = `${major} major, ${minor} minor, ${unknown} unknown, ${not_tracked} not tracked, ${none} without a break`;
  return [line, ...others].join(', ');
}

// The changes that reach the risk at which the check fails.
export function failing<T extends { risk: Risk | null }>(changes: readonly T[], failOn: FailOn | undefined): T[] {
  if (failOn === undefined) return [];
  // What is not tracked is as unknown as what is not judged.
  const least = ORDER.indexOf(failOn === 'unknown' ? 'not_tracked' : failOn);
  return changes.filter(({ risk }) => risk !== null && ORDER.indexOf(risk) <= least);
}

export function isBreak({ risk }: { risk: Risk | null }): boolean {
  return risk === 'major' || risk === 'minor';
}

// The changes that a check cannot judge.
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
