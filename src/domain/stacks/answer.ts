// What is stored of the answer about one package of a stack: enough for a row of a report.
import type { Finding } from '../evidence/finding.ts';
import type { Judgement } from '../upgrade/judgement.ts';

export interface StackAnswer {
  // Null where nothing newer is known.
  judgement: Judgement | null;
  security: boolean;
  verdict: 'major' | 'minor' | 'unknown' | 'none' | 'not_tracked' | null;
  // What breaks it, or why it is not known, in one line.
  reason: string;
  undocumented: boolean;
  // The first of them.
  findings: readonly Finding[];
  steps: readonly { text: string; versions: readonly string[]; from: 'notes' | 'package' }[];
  moreSteps: number;
  counts: { versions: number; withoutNotes: number; proven: number; likely: number };
}
