// Rows of tests.
import type { UseWord } from '../../uses/use.ts';
import type { ReportRow } from './row.ts';

export function reportRow(name: string, more: Partial<ReportRow> = {}): ReportRow {
  return {
    ecosystem: 'npm',
    package: name,
    from: '1.0.0',
    to: '2.0.0',
    direct: null,
    dev: null,
    as: [],
    copies: 1,
    workspaces: [],
    judgement: 'no_sign',
    security: false,
    verdict: 'none',
    reason: 'No sign of a break in 1 version',
    firstBreak: null,
    undocumented: false,
    findings: [],
    steps: [],
    moreSteps: 0,
    counts: { versions: 1, withoutNotes: 0, proven: 0, likely: 0 },
    ...more,
  };
}

export function useOf(use: UseWord): NonNullable<ReportRow['use']> {
  const places = use === 'used' ? [{ file: 'src/clock.ts', line: 14 }] : [];
  return { use, places, count: use === 'used' ? 3 : 0 };
}
