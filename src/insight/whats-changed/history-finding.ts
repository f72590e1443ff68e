import { emptyRangeHint, historyHint, sameVersionHint, upToDateHint } from '../../domain/upgrade/hints.ts';
import { emptyRangeAnswer } from './compose.ts';
import type { RangeQuestion, UnjudgedAnswer, UpgradeAnswers } from './questions.ts';

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

// Answers for ranges without a release.

interface EmptyRange extends RangeQuestion {
  omittedPrereleases?: number;
}

export function answerEmpty(questions: readonly EmptyRange[]): UpgradeAnswers {
  return new Map(questions.map((question) => [question.index, emptyAnswer(question)]));
}

function emptyAnswer(question: EmptyRange): UnjudgedAnswer {
  const { of, range, history, omittedPrereleases } = question;
  const { reason, from, to } = range;
  const { lowest, highest } = history.shape;
  // The upper bound of a version range is certain only when the history is complete.
  const isSame = reason === 'same_version' && !(range.upperBy === 'range' && history.ends);
  const gap = isSame ? null : historyFinding(question);
  // Who has a version that is not stored, above the latest stored one, has no older one to upgrade to.
  if (reason === 'up_to_date' && gap?.reason === 'history_gap') {
    return emptyRangeAnswer(question, { reason, hint: `${upToDateHint(to ?? from)} ${gap.hint}` });
  }
  if (gap) return emptyRangeAnswer(question, { ...gap, omittedPrereleases });
  if (isSame) return emptyRangeAnswer(question, { reason, hint: sameVersionHint(from) });
  if (reason === 'up_to_date') return emptyRangeAnswer(question, { reason, hint: upToDateHint(to ?? from) });
  const hint = emptyRangeHint(
    [lowest, highest].flatMap((version) => version ?? []),
    of.source,
  );
  return emptyRangeAnswer(question, { reason: 'no_entries_in_range', hint, omittedPrereleases });
}
