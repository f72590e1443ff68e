// The packages of a list that nobody can judge yet, as one sentence with their reasons, instead of a row each.
import type { ReportRow } from '../upgrade/report/row.ts';
import { formatted } from '../upgrade/report/words.ts';
import type { RowReading } from './progress.ts';

interface UnknownRow {
  shown: Pick<ReportRow, 'verdict' | 'counts'>;
  reading: RowReading | null;
  isPending: boolean;
}

type Lack = 'reading' | 'unseen' | 'refused' | 'nothing' | 'notes' | 'silent';

const WORDS: Record<Lack, (one: boolean) => string> = {
  reading: (one) => `${one ? 'is' : 'are'} being read`,
  unseen: (one) => `${one ? 'was' : 'were'} not looked at yet`,
  refused: (one) => `${one ? 'waits' : 'wait'} for the limit of readings`,
  nothing: (one) => `${one ? 'has' : 'have'} no notes and no findings`,
  notes: (one) => `${one ? 'lacks' : 'lack'} the notes of some versions`,
  silent: (one) => `${one ? 'has notes that do' : 'have notes that do'} not say`,
};

const ORDER = Object.keys(WORDS) as Lack[];

function lackOf({ shown: { verdict, counts }, reading, isPending }: UnknownRow): Lack {
  if (isPending) return 'unseen';
  if (reading === 'running' || reading === 'waiting') return 'reading';
  if (reading === 'refused') return 'refused';
  if (verdict === 'not_tracked' || counts.versions === 0) return 'nothing';
  return counts.withoutNotes > 0 ? 'notes' : 'silent';
}

// `311 not known: 240 have no notes and no findings, 71 are being read`; the numbers add up.
export function unknownSentence(rows: readonly UnknownRow[]): string {
  const counted = new Map<Lack, number>();
  for (const row of rows) counted.set(lackOf(row), (counted.get(lackOf(row)) ?? 0) + 1);
  const parts = ORDER.flatMap((lack) => {
    const count = counted.get(lack) ?? 0;
    return count > 0 ? [{ count, words: `${formatted(count)} ${WORDS[lack](count === 1)}` }] : [];
  }).sort((a, b) => b.count - a.count);
  return `${formatted(rows.length)} not known: ${parts.map(({ words }) => words).join(', ')}`;
}

export function readingWords({ reading, isPending }: Pick<UnknownRow, 'reading' | 'isPending'>): string | null {
  if (isPending) return 'Not looked at yet';
  if (reading === 'running') return 'Being read now';
  if (reading === 'waiting') return 'Waits to be read';
  return reading === 'refused' ? 'Not read yet: the limit of readings is reached' : null;
}
