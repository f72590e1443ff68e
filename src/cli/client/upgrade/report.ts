// The report on a list of judged changes: its rows, what the notes alone come to, and what a check cannot judge.
import { isDowngrade } from '../../../domain/upgrade/lockfiles/upgrades.ts';
import { withCopies } from '../../../domain/upgrade/report/answer.ts';
import { orderRows } from '../../../domain/upgrade/report/groups.ts';
import type { NotesVerdict, ReportRow } from '../../../domain/upgrade/report/row.ts';
import type { JudgedChange } from './judge-changes.ts';

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

export function rowsOf(changes: readonly JudgedChange[]): ReportRow[] {
  return orderRows(withCopies(changes.map(({ row }) => row)));
}

// The changes in the order of their rows.
export function byRisk(changes: readonly JudgedChange[]): JudgedChange[] {
  const byRow = new Map(changes.map((change) => [change.row, change]));
  return orderRows(changes.map(({ row }) => row)).flatMap((row) => byRow.get(row) ?? []);
}

// By the notes alone.
export function notesTotals(changes: readonly JudgedChange[]): UpgradeTotals {
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

// The changes that a check by `--fail-on` cannot judge.
export function unjudged<T extends { risk: NotesVerdict | null }>(changes: readonly T[]): T[] {
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
