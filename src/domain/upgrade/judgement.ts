// The verdict on a range by its notes, how the verdicts of its releases are counted, and what an answer says of it in one
// word: by the notes and by what the published packages themselves show.

import { isBelow } from './bounds.ts';
import { countBelow, countUpTo, indexRanges, type KeyedRange } from './rising-keys.ts';

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
  // A version whose own note was read and judged shows a proven break against the version before it.
  isProvenBesideNote?: boolean;
}

// Null when there is nothing to judge: both bounds are the same, or nothing newer is known.
export function judgementOf(range: JudgedRange): Judgement | null {
  const { reason, verdicts, evidence } = range;
  if (reason === 'same_version' || reason === 'up_to_date') return null;
  const { proven, likely } = evidence?.counts ?? { proven: 0, likely: 0 };
  if (proven > 0 || verdicts.major > 0) return 'breaks';
  if (likely > 0 || verdicts.minor > 0) return 'may_break';
  return isWhollyRead(range) && (isByNotesAlone(range) || isCompared(evidence)) ? 'no_sign' : 'not_known';
}

// Every version of the range has a note, and each of them was judged.
function isWhollyRead({ status, verdicts, total, isComplete }: JudgedRange): boolean {
  return status === 'resolved' && isComplete && total > 0 && verdicts.unknown === 0;
}

// Nothing but the notes can be asked: packages of the ecosystem are not compared, or comparing is turned off.
export function isByNotesAlone({ evidence }: Pick<JudgedRange, 'evidence'>): boolean {
  return evidence === null || evidence.status === 'off';
}

function isCompared(evidence: JudgedRange['evidence']): boolean {
  return evidence?.status === 'compared' || evidence?.status === 'no_types';
}

// The package proves a break in a version whose own note was read and judged, and no note of the range says that anything
// breaks. Where nobody read, nothing is said of the notes.
export function isUndocumented(range: JudgedRange): boolean {
  const { verdicts, evidence, isProvenBesideNote = false } = range;
  if ((evidence?.counts.proven ?? 0) === 0 || verdicts.major + verdicts.minor > 0) return false;
  return isProvenBesideNote || isWhollyRead(range);
}

// What an answer rests on: the notes, the number of a version whose notes say nothing of what breaks, the package itself.
export const WITNESSES = ['notes', 'version', 'package'] as const;
export type Witness = (typeof WITNESSES)[number];

interface Heard {
  total: number;
  // The releases that break.
  major: number;
  // Those of them that are judged by their number alone.
  byVersion: number;
  isCompared: boolean;
}

// Notes are no witness of a break that only the numbers of versions tell of.
export function witnessesOf({ total, major, byVersion, isCompared }: Heard): Witness[] {
  const isHeard: Record<Witness, boolean> = {
    notes: total > 0 && (byVersion === 0 || byVersion < major),
    version: byVersion > 0,
    package: isCompared,
  };
  return WITNESSES.filter((witness) => isHeard[witness]);
}

// Nothing but a number tells that the range breaks. Servers of before do not name their witnesses.
export function isByVersionAlone(answer: {
  judgedBy?: readonly Witness[] | undefined;
  evidence?: { counts: { proven: number } } | null | undefined;
}): boolean {
  const { judgedBy = [], evidence } = answer;
  return judgedBy.includes('version') && !judgedBy.includes('notes') && (evidence?.counts.proven ?? 0) === 0;
}

// What is said of such a range.
export const BY_VERSION_WORDS = 'a new major version; its notes say nothing of what breaks';

const WITNESS_WORDS: Record<Witness, string> = {
  notes: 'the notes',
  version: 'the number of the version',
  package: 'the package',
};

export function witnessWords(witnesses: readonly Witness[]): string {
  return witnesses.map((witness) => WITNESS_WORDS[witness]).join(' and ');
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
