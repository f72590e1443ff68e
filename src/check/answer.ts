// What is known of one step of a package: by the notes of a server or those inside of the package, and by the package itself.
import {
  isUndocumented,
  type JudgedRange,
  judgementOf,
  noVerdicts,
  worstVerdict,
} from '../domain/upgrade/judgement.ts';
import { type PublishedVersion, publishedRange } from '../domain/upgrade/published.ts';
import { type AnsweredUpgrade, answeredRow } from '../domain/upgrade/report/answer.ts';
import type { ReportRow, RowStep } from '../domain/upgrade/report/row.ts';
import { mergeSteps } from '../domain/upgrade/steps/merge-steps.ts';
import { compareVersionKeys, isPrerelease, versionIdentity, versionSort } from '../domain/versions/index.ts';
import type { PairEvidence } from './evidence/compare-pair.ts';
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
  notes: AnsweredUpgrade | null;
}

export function rowOf(known: Known): ReportRow {
  const { question, evidence } = known;
  const answer = known.notes === null ? byPackage(known) : withEvidence(known.notes, known);
  const row = answeredRow({ ...question.change, from: known.from, to: known.to }, answer);
  const isSilent = row.judgement === 'not_known' && answer.total === 0;
  return {
    ...row,
    workspaces: question.workspaces,
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
  const { steps = [] } = answer;
  const told = steps.map(({ text }) => text).join('\n');
  const shown = packageSteps({ evidence, from, to, isOneStep: answer.total <= 1 }).filter(
    ({ text }) => !told.includes(text),
  );
  return {
    ...answer,
    judgement: judgementOf(range),
    undocumented: isUndocumented(range),
    steps: [...steps, ...shown],
    evidence: evidencePart(evidence),
  };
}

function byPackage({ from, to, listing, evidence }: Known): AnsweredUpgrade {
  const notes = evidence?.notes ?? [];
  const verdicts = noVerdicts();
  for (const { breaking } of notes) verdicts[breaking] += 1;
  const published = versionsBetween(listing, { from, to, noted: notes.map(({ version }) => version) });
  const { published: count, withoutNotes, withoutNotesCount } = publishedRange(published, isPrerelease(to));
  const isComplete = notes.length > 0 && withoutNotesCount === 0;
  const range: JudgedRange = { status: 'resolved', verdicts, total: notes.length, isComplete, evidence };
  const pairs = evidence === null ? [] : [{ from, to, findings: evidence.findings }];
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
    undocumented: notes.length > 0 && isUndocumented(range),
    steps: mergeSteps({
      entries: notes.map(({ version, steps }) => ({ id: version, version, steps })),
      pairs,
      range: { from, to, isOneStep: count <= 1 },
    }),
    entries: notes,
    ...(evidence === null ? {} : { evidence: evidencePart(evidence) }),
  };
}

function evidencePart({ status, findings, counts }: PairEvidence) {
  return { status, pairs: [{ findings }], counts };
}

interface StepInput {
  evidence: PairEvidence;
  from: string;
  to: string;
  isOneStep: boolean;
}

function packageSteps({ evidence, from, to, isOneStep }: StepInput): RowStep[] {
  const pairs = [{ from, to, findings: evidence.findings }];
  return mergeSteps({ entries: [], pairs, range: { from, to, isOneStep } });
}

// The listed versions above the first and up to the second, rising.
function versionsBetween(
  { versions }: Listing,
  { from, to, noted }: { from: string; to: string; noted: readonly string[] },
): PublishedVersion[] {
  const [low, high] = [versionSort(from) ?? '', versionSort(to) ?? ''];
  const known = new Set(noted.map(versionIdentity));
  return versions
    .flatMap(({ version, withdrawn }) => {
      const key = versionSort(version);
      if (key === null || compareVersionKeys(key, low) <= 0 || compareVersionKeys(key, high) > 0) return [];
      return [{ version, key, withdrawn, noted: known.has(versionIdentity(version)) }];
    })
    .sort((a, b) => compareVersionKeys(a.key, b.key));
}
