// The last steps of an answer: what the published packages themselves show, then what all of it says in one word, by which
// witnesses, and what the reader has to do.
import { evidenceOfRanges } from '../../catalog/evidence/evidence-of-ranges.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { UpgradeEntry, WhatsChanged } from '../../contract/whats-changed.ts';
import { elementAt } from '../../domain/records.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { isUndocumented, type JudgedRange, judgementOf } from '../../domain/upgrade/judgement.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import type { ComparedPair } from '../../domain/upgrade/steps/merge-steps.ts';
import { MAX_STEPS, mergeSteps } from '../../domain/upgrade/steps/merge-steps.ts';
import { visiblePackages } from './listings.ts';
import type { UnjudgedAnswer, UpgradeAnswers } from './questions.ts';

export interface AskedPackage {
  index: number;
  named: PackageName;
}

interface AskedEvidence {
  index: number;
  answer: UnjudgedAnswer;
  range: { name: string; from: string; to: string };
}

// Adds to answers about npm packages what their packages show; all answers of a call share the reads.
export async function withEvidence(
  ctx: Context,
  answers: UpgradeAnswers,
  packages: readonly AskedPackage[],
): Promise<void> {
  const onNpm = packages.filter(({ named }) => named.ecosystem === 'npm');
  const seen = new Set(
    await visiblePackages(
      ctx,
      onNpm.map(({ named }) => named),
    ),
  );
  const asked = onNpm.flatMap(({ index, named }): AskedEvidence[] => {
    const answer = answers.get(index);
    if (answer === undefined || answer instanceof ApiError || !seen.has(named)) return [];
    const range = rangeOf(answer);
    return range ? [{ index, answer, range: { name: named.name, ...range } }] : [];
  });
  if (asked.length === 0) return;
  const found = await evidenceOfRanges(
    ctx,
    asked.map(({ range }) => range),
  );
  for (const [slot, { index, answer }] of asked.entries()) {
    const { evidence, byVersion } = elementAt(found, slot);
    const entries = byVersion.size === 0 ? answer.entries : answer.entries.map((entry) => shown(entry, byVersion));
    answers.set(index, { ...answer, entries, evidence });
  }
}

const NOTHING_BETWEEN: ReadonlySet<WhatsChanged['reason']> = new Set(['same_version', 'up_to_date', 'ambiguous']);

function rangeOf({ fromVersion, toVersion, reason }: UnjudgedAnswer): { from: string; to: string } | null {
  if (fromVersion === null || toVersion === null || NOTHING_BETWEEN.has(reason)) return null;
  return { from: fromVersion, to: toVersion };
}

function shown(entry: UpgradeEntry, byVersion: ReadonlyMap<string, { proven: number; likely: number }>): UpgradeEntry {
  const counts = entry.version === null ? undefined : byVersion.get(readBound(entry.version).version);
  return counts ? { ...entry, evidence: { counts } } : entry;
}

// The steps of all answers of a call together; each has room for a few.
const STEPS_OF_CALL = 500;
const MIN_STEPS = 5;

type SeenEvidence = NonNullable<JudgedRange['evidence']> & { pairs: readonly ComparedPair[] };

export function judged(
  { told, ...answer }: UnjudgedAnswer,
  evidence: SeenEvidence | null,
  questions: number,
): WhatsChanged {
  const { status, reason, total, summary, history } = answer;
  const range = { status, reason, verdicts: summary.breaking, total, isComplete: history?.complete === true, evidence };
  const steps = stepsOf({ told, ...answer }, evidence);
  const room = questions === 1 ? MAX_STEPS : Math.max(MIN_STEPS, Math.floor(STEPS_OF_CALL / questions));
  const shown = steps.slice(0, room);
  return {
    ...answer,
    judgement: judgementOf(range),
    judgedBy: [...(total > 0 ? (['notes'] as const) : []), ...(isCompared(evidence) ? (['package'] as const) : [])],
    undocumented: isUndocumented(range),
    steps: shown,
    ...(shown.length < steps.length ? { moreSteps: steps.length - shown.length } : {}),
  };
}

function isCompared(evidence: SeenEvidence | null): boolean {
  return evidence !== null && (evidence.pairs.length > 0 || ['compared', 'no_types'].includes(evidence.status));
}

function stepsOf(answer: UnjudgedAnswer, evidence: SeenEvidence | null) {
  const { told, entries, fromVersion: from, toVersion: to, total } = answer;
  const asking = new Map(told.map((one) => [one.id, one.steps]));
  const listed = new Set(entries.map(({ id }) => id));
  return mergeSteps({
    entries: [
      ...told.filter(({ id }) => !listed.has(id)),
      ...entries.map(({ id, version }) => ({ id, version, steps: asking.get(id) ?? [] })),
    ],
    pairs: evidence?.pairs ?? [],
    range: { from, to, isOneStep: Math.max(total, answer.history?.published ?? 0) <= 1 },
  });
}
