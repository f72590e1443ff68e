// What is stored of an answer about one package of a list: a report or a stack.
import type { WhatsChanged, WhatsChangedBatch } from '../contract/whats-changed.ts';
import type { Ecosystem } from '../domain/ecosystems/index.ts';
import { type StackAnswer, unknownAnswer } from '../domain/stacks/answer.ts';
import type { PackageChange } from '../domain/upgrade/lockfiles/changed-packages.ts';
import { answeredRow } from '../domain/upgrade/report/answer.ts';
import { versionSort } from '../domain/versions/index.ts';

const MAX_FINDINGS = 5;
const MAX_STEPS = 5;

interface ToldAnswer {
  target: string | null;
  publishedAt: string | null;
  answer: StackAnswer;
  // What is read because of the question.
  readingId: string | null;
  // Until when nothing more is read for who asked.
  refusedUntil: string | null;
}

interface ListedQuestion {
  ecosystem: Ecosystem;
  name: string;
  from: string;
  to: string;
}

export function toldAnswer(asked: ListedQuestion, item: WhatsChangedBatch['items'][number] | undefined): ToldAnswer {
  if (item === undefined || 'error' in item) return refused(item?.error.message);
  const { reading } = item;
  return {
    ...told(asked, item),
    readingId: reading?.id ?? null,
    refusedUntil: reading?.state === 'refused' ? (reading.retryAt ?? null) : null,
  };
}

// Null unless the newest entry tells of the newest version itself.
function dateOfTarget({ entries, toVersion }: WhatsChanged): string | null {
  const newest = entries.at(-1);
  const isTarget = newest?.version && toVersion && versionSort(newest.version) === versionSort(toVersion);
  return isTarget ? newest.publishedAt : null;
}

function told(asked: ListedQuestion, answer: WhatsChanged): Pick<ToldAnswer, 'target' | 'publishedAt' | 'answer'> {
  const change: PackageChange = {
    ...asked,
    direct: null,
    dev: null,
    optional: null,
    source: 'registry',
    fromRef: null,
    toRef: null,
    as: [],
  };
  const { judgement, security, verdict, reason, undocumented, findings, steps, moreSteps, counts } = answeredRow(
    change,
    answer,
  );
  const left = Math.max(0, steps.length - MAX_STEPS);
  return {
    target: answer.toVersion,
    publishedAt: dateOfTarget(answer),
    answer: {
      judgement,
      security,
      verdict,
      reason,
      undocumented,
      findings: findings.slice(0, MAX_FINDINGS),
      steps: steps.slice(0, MAX_STEPS).map((step) => ({ ...step, versions: [...step.versions] })),
      moreSteps: moreSteps + left,
      counts,
    },
  };
}

function refused(reason = 'This could not be answered'): ToldAnswer {
  return { target: null, publishedAt: null, answer: unknownAnswer(reason), readingId: null, refusedUntil: null };
}
