// What a check of a changelog says: one finding is a rule, a place, what holds there, why, and what to do.

export type LintLevel = 'error' | 'warning' | 'info';

export const LINT_RULES = {
  'newest-missing': 'error',
  'never-published': 'error',
  'published-changed': 'error',
  'published-lost': 'error',
  'break-unnamed': 'error',
  'bump-too-small': 'error',
  'duplicate-version': 'error',
  'date-invalid': 'error',
  'heading-unparsable': 'error',
  'names-unknown': 'warning',
  'break-without-advice': 'warning',
  order: 'warning',
  'date-future': 'warning',
  'date-order': 'warning',
  'entry-gap': 'info',
  'silent-entry': 'info',
  'unproven-claim': 'info',
  reader: 'info',
} as const satisfies Record<string, LintLevel>;

export type LintRule = keyof typeof LINT_RULES;

export interface LintFinding {
  rule: LintRule;
  level: LintLevel;
  // From 1; null for the file as a whole.
  line: number | null;
  version: string | null;
  sentence: string;
  // What it rests on, a line each.
  evidence: string[];
  // What to do.
  advice: string;
}

export function lintFinding(
  rule: LintRule,
  { line, version = null }: { line: number | null; version?: string | null },
  { sentence, evidence = [], advice }: { sentence: string; evidence?: readonly string[]; advice: string },
): LintFinding {
  return { rule, level: LINT_RULES[rule], line, version, sentence, evidence: [...evidence], advice };
}
