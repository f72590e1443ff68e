// Answers of tests, completed with what the last step of an answer adds.
import type { WhatsChanged } from '../../contract/whats-changed.ts';

type Unjudged = Omit<WhatsChanged, 'judgement' | 'judgedBy' | 'undocumented' | 'steps'>;

export function withJudgement(answer: Unjudged & Partial<WhatsChanged>): WhatsChanged {
  return { judgement: byNotes(answer), judgedBy: ['notes'], undocumented: false, steps: [], ...answer };
}

function byNotes({ status, worst, reason, history }: Unjudged): WhatsChanged['judgement'] {
  if (reason === 'same_version' || reason === 'up_to_date') return null;
  if (worst === 'major') return 'breaks';
  if (worst === 'minor') return 'may_break';
  return status === 'resolved' && worst === 'none' && history?.complete ? 'no_sign' : 'not_known';
}
