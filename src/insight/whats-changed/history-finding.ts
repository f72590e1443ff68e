import { historyHint } from '../../domain/upgrade/history-hint.ts';
import type { RangeQuestion } from './questions.ts';

interface HistoryFinding {
  reason: 'history_ends' | 'history_begins';
  hint: string;
}

/** Null when the stored history covers the range. */
export function historyFinding({ range, history, of: { place } }: RangeQuestion): HistoryFinding | null {
  const { ends, begins, shape } = history;
  if (!ends && !begins) return null;
  const hint = historyHint({
    ends,
    begins,
    ...shape,
    from: range.from,
    to: range.upperBy === 'version' ? range.to : null,
    failingSince: place.failingSince,
    coordinate: place.coordinate,
    id: place.id,
  });
  return { reason: ends ? 'history_ends' : 'history_begins', hint };
}
