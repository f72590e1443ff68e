// What a check of changelogs says, as commands print it.
import type { LintFinding, LintLevel } from '../../domain/lint/finding.ts';

export interface LintedChangelog {
  // Null where no manifest tells it.
  package: string | null;
  // The version that is about to be released; null when nothing is.
  next: string | null;
  // The published version that it was compared with; null for none.
  against: string | null;
  // Relative to where the command runs, with slashes.
  file: string;
  sections: number;
  // Whether the published packages were compared too.
  compared: boolean;
  findings: LintFinding[];
  // Rules that are switched off, each with how many findings.
  off: { reason: string; count: number }[];
  // What was not looked at, and why.
  gaps: string[];
}

export interface LintReport {
  changelogs: LintedChangelog[];
  counts: Record<LintLevel, number>;
  // What could not be asked for.
  incomplete: string[];
}

export function lintReport(changelogs: LintedChangelog[], incomplete: string[]): LintReport {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { findings } of changelogs) for (const { level } of findings) counts[level] += 1;
  return { changelogs, counts, incomplete };
}

export const LINT_FAIL_LEVELS = ['error', 'warning'] as const;

export function failsLint({ counts }: LintReport, level: (typeof LINT_FAIL_LEVELS)[number]): boolean {
  return counts.error > 0 || (level === 'warning' && counts.warning > 0);
}
