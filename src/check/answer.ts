// What is known of one step of a package: by the notes of a server or those that were read here, and by the package itself.
import {
  isUndocumented,
  type JudgedRange,
  judgementOf,
  noVerdicts,
  witnessesOf,
  worstVerdict,
} from '../domain/upgrade/judgement.ts';
import { isPublishedPrerelease, type PublishedVersion, publishedRange } from '../domain/upgrade/published.ts';
import { type AnsweredUpgrade, answeredRow, readNotes } from '../domain/upgrade/report/answer.ts';
import type { NotesTold } from '../domain/upgrade/report/notes-told.ts';
import type { ReportRow, RowStep } from '../domain/upgrade/report/row.ts';
import { cutSteps, mergeSteps } from '../domain/upgrade/steps/merge-steps.ts';
import type { ComparedPair } from '../domain/upgrade/steps/shown-steps.ts';
import { compareVersionKeys, isPrerelease, versionIdentity, versionSort } from '../domain/versions/index.ts';
import type { PairEvidence } from './evidence/compare-pair.ts';
import type { PackedNote } from './notes/text-notes.ts';
import type { Listing } from './packages/source.ts';
import type { Question } from './questions.ts';

interface Known {
  question: Question;
  from: string;
  to: string;
  listing: Listing;
  // Null for packages that nobody compares.
  evidence: PairEvidence | null;
  // What a server answers; null when none was asked, or when it tracks no such package.
  answer: AnsweredUpgrade | null;
  // What was read here, where no server answers.
  notes: readonly PackedNote[];
  told: NotesTold;
}

export function rowOf(known: Known): ReportRow {
  const { question, evidence } = known;
  const answer = known.answer === null ? byPackage(known) : withEvidence(known.answer, known);
  const row = answeredRow({ ...question.change, from: known.from, to: known.to }, answer);
  const isSilent = row.judgement === 'not_known' && answer.total === 0;
  return {
    ...row,
    workspaces: question.workspaces,
    read: readNotes(answer),
    notes: known.told,
    ...(isSilent ? { reason: silence(evidence, answer.history?.published ?? 0) } : {}),
  };
}

const SILENT: Record<PairEvidence['status'], string> = {
  compared: 'types and package.json show no break',
  no_types: 'package.json and plain names show no break, and it has no types',
  pending: 'not compared',
  not_ordered: 'not compared',
  too_large: 'too large to compare',
  not_available: 'the package cannot be had to compare it',
  off: 'not compared',
};

// Without any notes the package itself is the only witness, and what code does is not seen in it.
function silence(evidence: PairEvidence | null, published: number): string {
  const whose = published === 1 ? 'This version has' : published === 0 ? 'There are' : `${published} versions have`;
  const seen = evidence === null ? 'packages of this kind are not compared' : SILENT[evidence.status];
  const why = evidence?.reason && evidence.status !== 'too_large' ? ` (${evidence.reason})` : '';
  return `${whose} no notes; ${seen}${why}`;
}

// The notes of a server beside the packages as they were compared here.
function withEvidence(answer: AnsweredUpgrade, { evidence, from, to }: Known): AnsweredUpgrade {
  if (evidence === null || (evidence.status !== 'compared' && evidence.status !== 'no_types')) return answer;
  const range: JudgedRange = {
    status: answer.status,
    reason: answer.reason,
    verdicts: answer.summary.breaking,
    total: answer.total,
    isComplete: answer.history?.complete === true,
    evidence,
  };
  // The server may have looked at single steps, where this looks at the whole range alone.
  const isProvenBesideNote = answer.undocumented === true;
  return {
    ...answer,
    judgement: judgementOf(range),
    undocumented: isUndocumented({ ...range, isProvenBesideNote }),
    ...stepsBeside(answer, { from, to, findings: evidence.findings }),
    evidence: evidencePart(evidence, { from: answer.fromVersion ?? from, to: answer.toVersion ?? to }),
  };
}

// The steps of the notes, and those of the packages as they were compared here: each copy has its own. What a server knows of
// the version of the same step stays.
function stepsBeside(
  { steps = [], moreSteps = 0, total, history }: AnsweredUpgrade,
  { from, to, findings }: Omit<ComparedPair, 'isStep'>,
): { steps: RowStep[]; moreSteps: number } {
  const [noted, shown] = [steps.filter((step) => step.from === 'notes'), steps.filter((step) => step.from !== 'notes')];
  const versions = [...new Set(noted.flatMap((step) => step.versions))].sort(inVersionOrder);
  const located = shown.flatMap(({ text, versions: [version] }) =>
    version === undefined
      ? []
      : [{ from: '', to: version, isStep: true, findings: findings.filter((finding) => finding.text === text) }],
  );
  const isStep = Math.max(total, history?.published ?? 0) <= 1;
  const merged = mergeSteps({
    entries: [...versions, null].map((version) => ({
      id: version ?? '',
      version,
      steps: noted
        .filter((step) => (version === null ? step.versions.length === 0 : step.versions.includes(version)))
        .map(({ text }) => text),
    })),
    pairs: [{ from, to, isStep, findings }, ...located],
    range: { from, to },
  });
  const cut = cutSteps(merged);
  return { steps: cut.steps, moreSteps: moreSteps + (cut.moreSteps ?? 0) };
}

function inVersionOrder(one: string, other: string): number {
  return compareVersionKeys(versionSort(one) ?? '', versionSort(other) ?? '');
}

function byPackage({ from, to, listing, evidence, notes }: Known): AnsweredUpgrade {
  const verdicts = noVerdicts();
  for (const { breaking } of notes) verdicts[breaking] += 1;
  const published = versionsBetween(listing, { from, to, noted: notes.map(({ version }) => version) });
  const { published: count, withoutNotes, withoutNotesCount } = publishedRange(published, isPrerelease(to));
  const isComplete = notes.length > 0 && withoutNotesCount === 0;
  const range: JudgedRange = { status: 'resolved', verdicts, total: notes.length, isComplete, evidence };
  const byVersion = notes.filter(({ judgedBy }) => judgedBy === 'version').length;
  const isSeen = evidence?.status === 'compared' || evidence?.status === 'no_types';
  const pairs = evidence === null ? [] : [{ from, to, isStep: count <= 1, findings: evidence.findings }];
  return {
    status: 'resolved',
    to,
    fromVersion: from,
    toVersion: to,
    worst: worstVerdict(verdicts),
    history: {
      lowest: notes[0]?.version ?? null,
      highest: notes.at(-1)?.version ?? null,
      complete: isComplete,
      published: count,
      withoutNotes,
      withoutNotesCount,
    },
    total: notes.length,
    summary: { breaking: verdicts, security: notes.filter(({ security }) => security).length },
    judgement: judgementOf(range),
    judgedBy: witnessesOf({ total: notes.length, major: verdicts.major, byVersion, isCompared: isSeen }),
    undocumented: isUndocumented(range),
    ...cutSteps(
      mergeSteps({
        entries: notes.map(({ version, steps }) => ({ id: version, version, steps })),
        pairs,
        range: { from, to },
      }),
    ),
    entries: notes,
    ...(evidence === null ? {} : { evidence: evidencePart(evidence, { from, to }) }),
  };
}

function evidencePart({ status, findings, counts }: PairEvidence, ends: { from: string; to: string }) {
  return { status, pairs: [{ ...ends, findings }], counts };
}

// The listed versions above the first and up to the second, rising.
export function versionsBetween(
  { versions }: Listing,
  { from, to, noted }: { from: string; to: string; noted: readonly string[] },
): PublishedVersion[] {
  const [low, high] = [versionSort(from) ?? '', versionSort(to) ?? ''];
  const known = new Set(noted.map(versionIdentity));
  return versions
    .flatMap(({ version, withdrawn }) => {
      const key = versionSort(version);
      if (key === null || compareVersionKeys(key, low) <= 0 || compareVersionKeys(key, high) > 0) return [];
      const noted = known.has(versionIdentity(version));
      return [{ version, key, withdrawn, isPrerelease: isPublishedPrerelease(version), noted }];
    })
    .sort((a, b) => compareVersionKeys(a.key, b.key));
}
