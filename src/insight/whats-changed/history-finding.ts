import { historyHint } from '../../domain/upgrade/hints.ts';
import type { RangeQuestion } from './questions.ts';

interface HistoryFinding {
  reason: 'history_ends' | 'history_begins' | 'history_gap';
  hint: string;
}

// Null when the stored history covers the range.
export function historyFinding({ range, history, of: { source } }: RangeQuestion): HistoryFinding | null {
  const { ends, begins, missing, shape } = history;
  if (shape.complete) return null;
  const hint = historyHint({
    ends,
    begins,
    missing,
    ...shape,
    from: range.from,
    to: range.upperBy === 'version' ? range.to : null,
    toVersion: range.to,
    failingSince: source.failingSince,
    coordinate: source.coordinate,
    id: source.id,
  });
  return { reason: ends ? 'history_ends' : begins ? 'history_begins' : 'history_gap', hint };
}
