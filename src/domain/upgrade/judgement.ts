// The verdict on a range by its notes, how the verdicts of its releases are counted, and what an answer says of it in one
// word: by the notes and by what the published packages themselves show.

import { isBelow } from './bounds.ts';

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

// Counts over a range of releases, stable ones and pre-releases apart.

export interface RangeTally {
  stable: Half;
  prerelease: Half;
}

export interface Half {
  verdicts: VerdictCounts;
  count: number;
  // The lowest key with a breaking verdict.
  firstBreaking: string | null;
  // How many releases are the upper bound itself.
  atEnd: number;
}

interface TallyGroup {
  prerelease: number;
  verdict: string;
  count: number;
  // The lowest key of the group.
  lowest: string;
  atEnd: number;
}

export function emptyTally(): RangeTally {
  return { stable: emptyHalf(), prerelease: emptyHalf() };
}

function emptyHalf(): Half {
  return { verdicts: noVerdicts(), count: 0, firstBreaking: null, atEnd: 0 };
}

export function addGroup(tally: RangeTally, { prerelease, verdict, count, lowest, atEnd }: TallyGroup): void {
  const half = prerelease === 1 ? tally.prerelease : tally.stable;
  half.verdicts[verdict as keyof VerdictCounts] += count;
  half.count += count;
  half.atEnd += atEnd;
  if (!isBreaking(verdict)) return;
  if (half.firstBreaking === null || isBelow(lowest, half.firstBreaking)) half.firstBreaking = lowest;
}

export interface OrderedRelease {
  key: string;
  prerelease: number;
  verdict: string;
}

interface KeyedRange {
  after: string;
  upTo: string;
  gaps?: readonly (readonly [string, string])[];
}

const ORDER = ['none', 'unknown', 'minor', 'major'] as const;

// The counts of any number of ranges over the same releases in rising order, which are read only once.
export function tallyOf(rising: readonly OrderedRelease[]): (range: KeyedRange) => RangeTally {
  const keys = rising.map(({ key }) => key);
  // Copied into an array: access to database rows is slow, and every range reads most of them.
  const kinds = Uint8Array.from(rising, ({ prerelease, verdict }) => {
    return ORDER.indexOf(verdict as (typeof ORDER)[number]) + (prerelease === 1 ? ORDER.length : 0);
  });
  return (range) => {
    const counts = new Uint32Array(2 * ORDER.length);
    const firsts = new Int32Array(2 * ORDER.length).fill(-1);
    for (const [start, end] of indexRanges(keys, range)) {
      for (let index = start; index < end; index += 1) {
        const kind = kinds[index] ?? 0;
        counts[kind] = (counts[kind] ?? 0) + 1;
        if (firsts[kind] === -1) firsts[kind] = index;
      }
    }
    const atEnd = kinds.subarray(countBelow(keys, range.upTo), countUpTo(keys, range.upTo));
    const tally = emptyTally();
    for (const [kind, count] of counts.entries()) {
      if (count === 0) continue;
      const verdict = ORDER[kind % ORDER.length] ?? 'unknown';
      const lowest = keys[firsts[kind] ?? 0] ?? '';
      const ends = atEnd.filter((one) => one === kind).length;
      addGroup(tally, { prerelease: kind < ORDER.length ? 0 : 1, verdict, count, lowest, atEnd: ends });
    }
    return tally;
  };
}

// The parts of a range between its gaps, as indexes of releases.
function indexRanges(keys: readonly string[], { after, upTo, gaps = [] }: KeyedRange): [number, number][] {
  const ranges: [number, number][] = [];
  const end = countUpTo(keys, upTo);
  let start = countUpTo(keys, after);
  for (const [from, to] of gaps) {
    ranges.push([start, Math.min(end, countBelow(keys, from))]);
    start = Math.max(start, countBelow(keys, to));
  }
  return [...ranges, [start, end]];
}

function countUpTo(rising: readonly string[], limit: string): number {
  return countWhile(rising, (key) => !isBelow(limit, key));
}

function countBelow(rising: readonly string[], limit: string): number {
  return countWhile(rising, (key) => isBelow(key, limit));
}

function countWhile(rising: readonly string[], holds: (key: string) => boolean): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(rising[middle] as string)) low = middle + 1;
    else high = middle;
  }
  return low;
}
