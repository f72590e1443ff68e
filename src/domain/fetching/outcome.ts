// Every fetch ends in exactly one outcome, and the outcome alone decides how it is logged and counted.

import { cutText } from '../clean-text.ts';
import { keysOf } from '../records.ts';

type CounterEffect = 'reset' | 'add' | 'keep';

interface OutcomeRule {
  status: 'success' | 'no_change' | 'error' | 'blocked' | 'timeout';
  errors: CounterEffect;
  noChange: CounterEffect;
}

const OUTCOMES = {
  success: { status: 'success', errors: 'reset', noChange: 'reset' },
  no_change: { status: 'no_change', errors: 'reset', noChange: 'add' },
  gone: { status: 'error', errors: 'add', noChange: 'keep' },
  blocked: { status: 'blocked', errors: 'add', noChange: 'keep' },
  throttled: { status: 'error', errors: 'add', noChange: 'keep' },
  malformed: { status: 'error', errors: 'add', noChange: 'keep' },
  empty: { status: 'error', errors: 'add', noChange: 'keep' },
  timeout: { status: 'timeout', errors: 'add', noChange: 'keep' },
  unreachable: { status: 'error', errors: 'add', noChange: 'keep' },
  model_not_configured: { status: 'error', errors: 'keep', noChange: 'keep' },
  // More new releases than the source usually has; an operator decides.
  held: { status: 'error', errors: 'keep', noChange: 'keep' },
  error: { status: 'error', errors: 'add', noChange: 'keep' },
} as const satisfies Record<string, OutcomeRule>;

export const FETCH_OUTCOMES = keysOf(OUTCOMES);
export type FetchOutcome = keyof typeof OUTCOMES;
type OutcomeStatus = OutcomeRule['status'];

export interface FetchCounters {
  errors: number;
  noChange: number;
}

const MAX_ERROR = 500;

export function logStatusOf(outcome: FetchOutcome): OutcomeStatus {
  return OUTCOMES[outcome].status;
}

// Whether the source itself was read, so that what is stored is known to be current.
export function wasRead(outcome: FetchOutcome): boolean {
  return outcome === 'success' || outcome === 'no_change';
}

// `ownFault` is false when a quota that is shared with other sources ran out, which says nothing about this source.
export function countersAfter(
  outcome: FetchOutcome,
  before: FetchCounters,
  { ownFault = true }: { ownFault?: boolean } = {},
): FetchCounters {
  const rule = OUTCOMES[outcome];
  const blameless = outcome === 'throttled' && !ownFault;
  return {
    errors: blameless ? before.errors : apply(rule.errors, before.errors),
    noChange: apply(rule.noChange, before.noChange),
  };
}

function apply(effect: CounterEffect, count: number): number {
  if (effect === 'reset') return 0;
  return effect === 'add' ? count + 1 : count;
}

// The text of the log row; the detail must hold neither body text nor secrets.
export function failureText(outcome: FetchOutcome, detail: string): string {
  return cutText(`${outcome}: ${detail}`, MAX_ERROR);
}
