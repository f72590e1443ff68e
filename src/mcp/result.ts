// A result in its two forms, cut to the budget of the call: the structured part and a text with the same facts.
import { type Cut, type Fitted, fit } from './budget.ts';
import type { Truncation } from './shapes.ts';

interface ResultDraft<T extends object> {
  value: T;
  // The parts that may be cut, in this order.
  cuts: readonly Cut<T>[];
  text(value: T): string;
  // Describes what is missing from the value; `cut` is true when the budget removed something.
  truncation(value: T, cut: boolean): Truncation;
  // The unit of `omitted`.
  unit?: 'items' | 'characters';
}

export function fitResult<T extends object>(draft: ResultDraft<T>, maxTokens: number): Promise<Fitted<T>> {
  return fit(
    {
      value: draft.value,
      cuts: draft.cuts,
      render(value, cut) {
        const missing = draft.truncation(value, cut);
        const text = [draft.text(value), truncationLine(missing, draft.unit)].filter(Boolean).join('\n\n');
        return { structured: { ...value, truncation: missing }, text };
      },
    },
    maxTokens,
  );
}

const REASONS = { token_budget: 'the token budget is used up', limit: 'the limit is reached' } as const;

function truncationLine({ reason, omitted, next }: Truncation, unit = 'items'): string {
  if (reason === null) return '';
  const missing = omitted === null ? `an unknown number of ${unit}` : `${omitted} ${unit}`;
  const how =
    next === null ? 'A larger max_tokens shows more.' : `Continue with these arguments: ${JSON.stringify(next)}`;
  return `Incomplete, ${REASONS[reason]}; left out: ${missing}. ${how}`;
}
