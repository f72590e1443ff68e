// The last step of an answer: what it says in one word, by which witnesses, and what the reader has to do.
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { isUndocumented, type JudgedRange, judgementOf } from '../../domain/upgrade/judgement.ts';
import { MAX_STEPS, mergeSteps } from '../../domain/upgrade/steps/merge-steps.ts';
import type { ComparedPair } from '../../domain/upgrade/steps/package-steps.ts';
import type { UnjudgedAnswer } from './questions.ts';

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
