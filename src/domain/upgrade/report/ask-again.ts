// The answers of many questions share a budget, so some of them are cut. Those that matter most are worth a question of their
// own; every interface asks for the same ones, so that all of them say the same.
import type { Judgement } from '../judgement.ts';

const MAX_ASKED_AGAIN = 20;

interface CutAnswer {
  judgement?: Judgement | null;
  truncated?: boolean;
  moreSteps?: number | undefined;
  summary: { security?: number };
}

function urgency({ judgement, summary }: CutAnswer): number {
  if (judgement === 'breaks') return 1;
  if ((summary.security ?? 0) > 0) return 2;
  return judgement === 'may_break' ? 3 : 0;
}

// The places of those answers in the list; null stands for a question that was refused.
export function worthAsking(answers: readonly (CutAnswer | null)[]): number[] {
  return answers
    .flatMap((answer, at) => {
      const isCut = answer !== null && (answer.truncated === true || (answer.moreSteps ?? 0) > 0);
      return isCut && urgency(answer) > 0 ? [{ at, order: urgency(answer) }] : [];
    })
    .sort((a, b) => a.order - b.order || a.at - b.at)
    .slice(0, MAX_ASKED_AGAIN)
    .map(({ at }) => at);
}
