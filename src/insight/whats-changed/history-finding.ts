import { historyHint } from '../../domain/upgrade/hints.ts';
import type { RangeQuestion } from './questions.ts';

interface HistoryFinding {
  reason: 'history_ends' | 'history_begins';
  hint: string;
}

// Null when the stored history covers the range.
export function historyFinding({ range, history, of: { source } }: RangeQuestion): HistoryFinding | null {
  const { ends, begins, shape } = history;
  if (!ends && !begins) return null;
  const hint = historyHint({
    ends,
    begins,
    ...shape,
    from: range.from,
    to: range.upperBy === 'version' ? range.to : null,
    failingSince: source.failingSince,
    coordinate: source.coordinate,
    id: source.id,
  });
  return { reason: ends ? 'history_ends' : 'history_begins', hint };
}
