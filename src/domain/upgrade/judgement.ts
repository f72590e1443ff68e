// The verdict on a range by its notes, and what an answer says of it in one word: by the notes and by what the published
// packages themselves show.

export const JUDGEMENTS = ['breaks', 'may_break', 'not_known', 'no_sign'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export const EVIDENCE_STATES = [
  'compared',
  'pending',
  'not_ordered',
  'no_types',
  'too_large',
  'not_available',
  'off',
] as const;
export type EvidenceState = (typeof EVIDENCE_STATES)[number];

export interface JudgedRange {
  status: 'resolved' | 'unknown';
  reason?: string | undefined;
  // What the notes of the range say.
  verdicts: VerdictCounts;
  total: number;
  isComplete: boolean;
  // What the packages show; null where packages of the ecosystem are not compared.
  evidence: { status: EvidenceState; counts: { proven: number; likely: number } } | null;
}

// Null when there is nothing to judge: both bounds are the same, or nothing newer is known.
export function judgementOf(range: JudgedRange): Judgement | null {
  const { status, reason, verdicts, total, isComplete, evidence } = range;
  if (reason === 'same_version' || reason === 'up_to_date') return null;
  const { proven, likely } = evidence?.counts ?? { proven: 0, likely: 0 };
  if (proven > 0 || verdicts.major > 0) return 'breaks';
  if (likely > 0 || verdicts.minor > 0) return 'may_break';
  const isSeen = status === 'resolved' && isComplete && total > 0 && verdicts.unknown === 0;
  return isSeen && (isByNotesAlone(range) || isCompared(evidence)) ? 'no_sign' : 'not_known';
}

// Nothing but the notes can be asked: packages of the ecosystem are not compared, or comparing is turned off.
export function isByNotesAlone({ evidence }: Pick<JudgedRange, 'evidence'>): boolean {
  return evidence === null || evidence.status === 'off';
}

function isCompared(evidence: JudgedRange['evidence']): boolean {
  return evidence?.status === 'compared' || evidence?.status === 'no_types';
}

// The package proves a break, and no note of the range says that anything breaks.
export function isUndocumented({ verdicts, evidence }: Pick<JudgedRange, 'verdicts' | 'evidence'>): boolean {
  return (evidence?.counts.proven ?? 0) > 0 && verdicts.major + verdicts.minor === 0;
}

// The verdict by the notes.
const VERDICTS = ['major', 'minor', 'unknown', 'none'] as const;
type RangeVerdict = (typeof VERDICTS)[number];
export type VerdictCounts = Record<'major' | 'minor' | 'none' | 'unknown', number>;

export function noVerdicts(): VerdictCounts {
  return { major: 0, minor: 0, none: 0, unknown: 0 };
}

// The worst verdict that any release has; unknown is worse than none.
export function worstVerdict(counts: VerdictCounts): RangeVerdict | null {
  return VERDICTS.find((verdict) => counts[verdict] > 0) ?? null;
}

export function isBreaking(verdict: string): boolean {
  return verdict === 'major' || verdict === 'minor';
}
