// One package of a report on many: what changes, what is known of it, and whether the project uses what changed. Whatever
// makes reports (lockfiles, a project folder, a stack) makes these rows, and whatever shows one reads nothing else.
import type { Finding } from '../../evidence/finding.ts';
import type { Ecosystem } from '../../published-package.ts';
import type { FormPlaces } from '../../uses/forms/find-forms.ts';
import type { Place, Use, UseWord } from '../../uses/use.ts';
import type { Judgement } from '../judgement.ts';
import type { PackageSource } from '../lockfiles/types.ts';
import type { NotesTold } from './notes-told.ts';

export interface RowUse extends Use {
  // What was not seen, where only names are known not to be used: `7 of 12 versions have no notes`.
  unseen?: string;
  // The first place that has a form of code that its notes speak of, where it is not known to be used.
  perhaps?: Place;
}

export type RowFinding = Finding & { use?: RowUse };

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
  // What the project does with the names of the step, where it has any and somebody looked.
  use?: UseWord;
  // Where the project has a form of code that the step speaks of. It is no proof that the package is meant.
  forms?: readonly FormPlaces[];
}

// How much of a step was told in notes that somebody read.
export interface ReadNotes {
  // The versions of the step.
  of: number;
  // Those without notes, and those whose notes do not say what they change.
  missing: number;
  silent: number;
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
  // Where a manifest of the project names it, as far as that was looked up.
  namedAt?: Place;
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
  findings: readonly RowFinding[];
  steps: readonly RowStep[];
  moreSteps: number;
  counts: { versions: number; withoutNotes: number; proven: number; likely: number };
  // Null where it is not known which versions the step has.
  read?: ReadNotes | null;
  // By whom its notes were told, where a check has looked.
  notes?: NotesTold;
  use?: RowUse;
  proof?: RowProof;
  ignored?: { reason: string; until: string | null };
  // Somebody has dealt with this version.
  done?: { at: string };
  notFromRegistry?: { source: PackageSource; from: string | null; to: string | null };
}

export function isBreak({ judgement }: Pick<ReportRow, 'judgement'>): boolean {
  return judgement === 'breaks' || judgement === 'may_break';
}

// A changed name is used, or something that it needs is missing.
export function isUsed({ use }: Pick<ReportRow, 'use'>): boolean {
  return use?.use === 'used' || use?.use === 'not_met';
}

const NEEDS: ReadonlySet<Finding['kind']> = new Set(['engines_raised', 'peer_raised', 'peer_added']);

const UNTOUCHED: ReadonlySet<UseWord | undefined> = new Set(['not_used', 'not_imported', 'met']);

// The steps of a row that concern what the project has or does.
export function stepsInUse({ steps, use }: Pick<ReportRow, 'steps' | 'use'>): readonly RowStep[] {
  return steps.filter((step) => !UNTOUCHED.has(step.use ?? use?.use));
}

// What is needed around code, and breaks nothing in it.
export function isNeed({ kind }: Pick<Finding, 'kind'>): boolean {
  return NEEDS.has(kind);
}

type Judged = Pick<ReportRow, 'judgement' | 'use' | 'findings' | 'verdict'>;

// The needs that the project does not meet.
export function unmetNeeds({ judgement, findings }: Judged): readonly RowFinding[] {
  return judgement === 'breaks' ? findings.filter((one) => isNeed(one) && one.use?.use === 'not_met') : [];
}

// Something that the project's own code does no longer works.
export function breaksCode(row: Judged): boolean {
  if (row.judgement !== 'breaks' || !isUsed(row)) return false;
  const isByCode = row.findings.some((one) => !isNeed(one) && isUsed(one));
  return row.use?.use === 'used' || isByCode || unmetNeeds(row).length === 0;
}

// All that is known to break is what the package needs around it: of what the project lacks, or of what it shows at all.
export function isNeedAlone(row: Judged): boolean {
  const { judgement, use, findings, verdict } = row;
  if (judgement !== 'breaks' || use === undefined) return false;
  if (isUsed(row)) return !breaksCode(row);
  const isNoted = verdict === 'major' || verdict === 'minor';
  return !isNoted && findings.length > 0 && findings.every(isNeed);
}
