// The answer about one package of a stack, enough for a row of a report, and what is stored of it.
import type { Finding } from '../evidence/finding.ts';
import type { Judgement } from '../upgrade/judgement.ts';
import type { NotesVerdict } from '../upgrade/report/row.ts';

export interface StackAnswer {
  // Null where nothing newer is known.
  judgement: Judgement | null;
  security: boolean;
  verdict: NotesVerdict | null;
  // What breaks it, or why it is not known, in one line.
  reason: string;
  undocumented: boolean;
  // The first of them.
  findings: Finding[];
  steps: { text: string; versions: string[]; from: 'notes' | 'package' }[];
  moreSteps: number;
  counts: { versions: number; withoutNotes: number; proven: number; likely: number };
}

// Thousands of them are read for one report, and most say little: what has a column of its own and what is not there is left
// out.
export type StoredAnswer = Pick<StackAnswer, 'verdict' | 'reason'> &
  Partial<Omit<StackAnswer, 'judgement' | 'security'>>;

export function packAnswer(answer: StackAnswer): StoredAnswer {
  const { verdict, reason, undocumented, findings, steps, moreSteps, counts } = answer;
  return {
    verdict,
    reason,
    ...(undocumented && { undocumented }),
    ...(findings.length > 0 && { findings }),
    ...(steps.length > 0 && { steps }),
    ...(moreSteps > 0 && { moreSteps }),
    ...(Object.values(counts).some((count) => count > 0) && { counts }),
  };
}

const NO_COUNTS: StackAnswer['counts'] = { versions: 0, withoutNotes: 0, proven: 0, likely: 0 };

export function unpackAnswer(stored: StoredAnswer, columns: Pick<StackAnswer, 'judgement' | 'security'>): StackAnswer {
  return {
    judgement: columns.judgement,
    security: columns.security,
    verdict: stored.verdict,
    reason: stored.reason,
    undocumented: stored.undocumented ?? false,
    findings: stored.findings ?? [],
    steps: stored.steps ?? [],
    moreSteps: stored.moreSteps ?? 0,
    counts: stored.counts ?? NO_COUNTS,
  };
}

// What is said of a package that nobody could judge.
export function unknownAnswer(reason: string): StackAnswer {
  return unpackAnswer({ verdict: 'unknown', reason }, { judgement: 'not_known', security: false });
}
