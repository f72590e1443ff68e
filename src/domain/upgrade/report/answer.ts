// What an answer on one package comes to in a report. When the registry lacks data, it never says that nothing breaks.
import type { Finding } from '../../evidence/finding.ts';
import type { BreakingVerdict } from '../../notes/types.ts';
import { compareVersionKeys, versionSort } from '../../versions/index.ts';
import type { EvidenceState, Judgement, Witness } from '../judgement.ts';
import type { PackageChange } from '../lockfiles/changed-packages.ts';
import { isDowngrade } from '../lockfiles/upgrades.ts';
import { rangeFindings } from '../steps/shown-steps.ts';
import { reasonOf } from './reasons.ts';
import type { NotesVerdict, ReadNotes, ReportRow, RowStep } from './row.ts';

// The part of an answer that a report reads. Servers of before do not judge and tell no steps.
export interface AnsweredUpgrade extends NotedUpgrade {
  to: string;
  fromVersion: string | null;
  toVersion: string | null;
  total: number;
  // `security` counts over the whole range. Servers of before tell it only of the entries that they list.
  summary: { breaking: Record<BreakingVerdict, number>; security?: number };
  judgement?: Judgement | null;
  judgedBy?: readonly Witness[] | undefined;
  undocumented?: boolean;
  steps?: readonly RowStep[];
  moreSteps?: number | undefined;
  entries: readonly AnsweredEntry[];
  omittedBreaking?:
    | readonly { version?: string | null; breaking: BreakingVerdict; title: string; step: string | null }[]
    | undefined;
  evidence?:
    | {
        status: EvidenceState;
        pairs: readonly { from: string; to: string; findings: readonly Finding[] }[];
        counts: { proven: number; likely: number };
      }
    | undefined;
}

interface AnsweredEntry {
  version?: string | null;
  title: string;
  summary: string;
  excerpt?: string | undefined;
  breaking: BreakingVerdict;
  // The verdict rests on the number of the version alone.
  judgedBy?: 'version' | undefined;
  migrationNotes: string | null;
  security?: boolean;
}

interface NotedUpgrade {
  status: 'resolved' | 'unknown';
  worst: BreakingVerdict | null;
  reason?: string | undefined;
  history?:
    | {
        lowest: string | null;
        highest: string | null;
        complete: boolean;
        published?: number | null;
        withoutNotes?: readonly string[];
        withoutNotesCount?: number;
      }
    | undefined;
}

type ShownUpgrade = NotedUpgrade & { judgement?: Judgement | null };

// The verdict of the notes. `none` needs a complete history, and either stored releases or a range that must be empty.
function verdictOf({ status, worst, history, reason }: NotedUpgrade): BreakingVerdict {
  if (status !== 'resolved') return 'unknown';
  if (worst === 'major' || worst === 'minor') return worst;
  if (history?.complete !== true) return 'unknown';
  return worst ?? (reason === 'same_version' || reason === 'up_to_date' ? 'none' : 'unknown');
}

export function riskOf(answer: NotedUpgrade): NotesVerdict {
  return isNotTracked(answer) ? 'not_tracked' : verdictOf(answer);
}

function isNotTracked({ status, reason }: NotedUpgrade): boolean {
  return status === 'unknown' && reason === 'not_tracked';
}

const LEVELS: Record<Judgement, BreakingVerdict> = {
  breaks: 'major',
  may_break: 'minor',
  not_known: 'unknown',
  no_sign: 'none',
};
const JUDGEMENTS: Record<BreakingVerdict, Judgement> = {
  major: 'breaks',
  minor: 'may_break',
  unknown: 'not_known',
  none: 'no_sign',
};

// What an answer is shown as, everywhere: by its judgement, and where there is nothing to judge by what is stored.
export function levelOf(answer: ShownUpgrade): BreakingVerdict {
  return answer.judgement ? LEVELS[answer.judgement] : verdictOf(answer);
}

// The same, with the word for what nobody reads.
export function shownRisk(answer: ShownUpgrade): NotesVerdict {
  const level = levelOf(answer);
  return level === 'unknown' && isNotTracked(answer) ? 'not_tracked' : level;
}

// Null where nothing newer is known and nothing of it is missing.
function judgementIn(answer: ShownUpgrade): Judgement | null {
  const level = levelOf(answer);
  const isSame = answer.reason === 'same_version' || answer.reason === 'up_to_date';
  return isSame && level === 'none' ? null : JUDGEMENTS[level];
}

export function answeredRow(change: PackageChange, answer: AnsweredUpgrade): ReportRow {
  const { steps = [], moreSteps = 0, evidence, history } = answer;
  return {
    ...changeOf(change),
    from: answer.fromVersion ?? change.from,
    to: answer.toVersion ?? change.to,
    judgement: judgementIn(answer),
    security: (answer.summary.security ?? 0) > 0 || answer.entries.some((entry) => entry.security === true),
    verdict: riskOf(answer),
    reason: reasonOf(answer, shownRisk(answer)),
    firstBreak: firstOfWorst(levelOf(answer), answer),
    undocumented: answer.undocumented === true,
    findings: shownFindings(answer),
    steps: steps.map(({ text, versions, from }) => ({ text, versions, from })),
    moreSteps,
    counts: {
      versions: answer.total,
      withoutNotes: history?.withoutNotesCount ?? 0,
      proven: evidence?.counts.proven ?? 0,
      likely: evidence?.counts.likely ?? 0,
    },
  };
}

export function readNotes({ total, history, summary: { breaking } }: AnsweredUpgrade): ReadNotes | null {
  const { complete = false, published = null, withoutNotesCount: missing = 0 } = history ?? {};
  if (!complete && missing === 0) return null;
  return { of: Math.max(published ?? 0, total + missing), missing, silent: breaking.unknown };
}

// What the packages show of the whole range.
export function shownFindings({ evidence, fromVersion, toVersion }: AnsweredUpgrade): readonly Finding[] {
  return rangeFindings(evidence?.pairs ?? [], { from: fromVersion, to: toVersion });
}

// The first release of the worst kind, where the answer shows or names all releases of that kind.
export function firstOfWorst(level: BreakingVerdict, answer: AnsweredUpgrade): string | null {
  if (level !== 'major' && level !== 'minor') return null;
  const named = [...(answer.omittedBreaking ?? []), ...answer.entries].filter(({ breaking }) => breaking === level);
  if (named.length < answer.summary.breaking[level]) return null;
  // Pre-releases that are not listed are named apart.
  const keyed = named.map(({ version = null }) => ({ version, key: versionSort(version ?? '') ?? '' }));
  return keyed.sort((one, other) => compareVersionKeys(one.key, other.key))[0]?.version ?? null;
}

// A row for what nobody was asked about, or what was refused; `problem` says why.
export function unansweredRow(change: PackageChange, problem: string): ReportRow {
  const { from, to, source } = change;
  const isMove = from !== null && to !== null;
  return {
    ...changeOf(change),
    judgement: isMove ? 'not_known' : null,
    security: false,
    verdict: isMove ? 'unknown' : null,
    reason: isMove && source === 'registry' ? problem : standingReason(change),
    firstBreak: null,
    undocumented: false,
    findings: [],
    steps: [],
    moreSteps: 0,
    counts: { versions: 0, withoutNotes: 0, proven: 0, likely: 0 },
  };
}

const ELSEWHERE: Record<PackageChange['source'], string> = {
  registry: '',
  git: 'Git dependency: look at the commits between',
  file: 'Folder of a project: look at its own diff',
  link: 'Linked folder: look at its own diff',
  url: 'Archive of an address: look at what it holds',
};

function standingReason({ from, source }: PackageChange): string {
  if (source !== 'registry') return ELSEWHERE[source];
  return from === null ? 'Added' : 'Removed';
}

// Why a change is no question for a registry; null when it is one.
export function problemOf(change: PackageChange): string | null {
  if (change.from === null || change.to === null || change.source !== 'registry') return standingReason(change);
  return isDowngrade(change) ? LOWERED : null;
}

export const UNORDERED = 'The two versions cannot be put in order';
export const LOWERED = 'Goes to a lower version, which is not judged';

function changeOf(change: PackageChange) {
  const { ecosystem, name, from, to, direct, dev, as, source, fromRef, toRef } = change;
  return {
    ecosystem,
    package: name,
    from,
    to,
    direct,
    dev,
    as,
    copies: 1,
    workspaces: [],
    ...(source === 'registry' ? {} : { notFromRegistry: { source, from: fromRef, to: toRef } }),
  };
}

// Counts the copies of each package that move from one version to another.
export function withCopies(rows: readonly ReportRow[]): ReportRow[] {
  const key = ({ ecosystem, package: name }: ReportRow) => `${ecosystem} ${name}`;
  const counts = new Map<string, number>();
  const isMove = ({ from, to }: ReportRow) => from !== null && to !== null;
  for (const row of rows.filter(isMove)) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
  return rows.map((row) => ({ ...row, copies: isMove(row) ? (counts.get(key(row)) ?? 1) : 1 }));
}
