// One package of a report on many: what changes, what is known of it, and whether the project uses what changed. Whatever
// makes reports (lockfiles, a project folder, a stack) makes these rows, and whatever shows one reads nothing else.
import type { Finding } from '../../evidence/finding.ts';
import type { Ecosystem } from '../../published-package.ts';
import type { Use } from '../../uses/use.ts';
import type { Judgement } from '../judgement.ts';
import type { PackageSource } from '../lockfiles/types.ts';

export interface RowUse extends Use {
  // What the project has, for `met` and `not_met`: `Node 24 in .nvmrc`.
  has?: string;
}

// The project compiled with the new version: errors that it does not have with the old one.
export interface RowProof {
  status: 'compiled' | 'not_done';
  // Why it was not done, or what was left out.
  reason: string | null;
  errors: readonly { file: string; line: number; code: string; message: string }[];
}

// What the notes say; `not_tracked` when nobody has them read.
export type NotesVerdict = 'major' | 'minor' | 'unknown' | 'none' | 'not_tracked';

export interface RowStep {
  text: string;
  versions: readonly string[];
  from: 'notes' | 'package';
}

export interface ReportRow {
  ecosystem: Ecosystem;
  package: string;
  // Null for a package that is new.
  from: string | null;
  // Null for a package that is gone.
  to: string | null;
  // These are null where the files do not tell.
  direct: boolean | null;
  dev: boolean | null;
  // The names other than its own under which the project installs it.
  as: readonly string[];
  // How many copies of the package change in this report, each with a row of its own.
  copies: number;
  // The workspaces that name it, where that is known.
  workspaces: readonly string[];
  // Null where there is nothing to judge: added, removed, or nothing newer is known.
  judgement: Judgement | null;
  security: boolean;
  verdict: NotesVerdict | null;
  // What breaks it, or why it is not known, in one line.
  reason: string;
  // The first version that breaks, where all of them are known.
  firstBreak: string | null;
  // The package proves a break that the notes do not mention.
  undocumented: boolean;
  findings: readonly Finding[];
  steps: readonly RowStep[];
  moreSteps: number;
  counts: { versions: number; withoutNotes: number; proven: number; likely: number };
  use?: RowUse;
  proof?: RowProof;
  ignored?: { reason: string; until: string | null };
  notFromRegistry?: { source: PackageSource; from: string | null; to: string | null };
}

export function isBreak({ judgement }: Pick<ReportRow, 'judgement'>): boolean {
  return judgement === 'breaks' || judgement === 'may_break';
}

// A changed name is used, or something that it needs is missing.
export function isUsed({ use }: Pick<ReportRow, 'use'>): boolean {
  return use?.use === 'used' || use?.use === 'not_met';
}
