// Whether a check fails: which rows are at least as bad as the level that was asked for.
import type { NotesVerdict, ReportRow } from './row.ts';

// By what the notes say alone.
export const NOTES_LEVELS = ['major', 'minor', 'unknown'] as const;
export type NotesLevel = (typeof NOTES_LEVELS)[number];

// By the answer, and by whether the project uses what changed.
export const FAIL_LEVELS = ['used', 'breaks', 'may_break', 'not_known'] as const;
export type FailLevel = (typeof FAIL_LEVELS)[number];

const VERDICTS: Record<NotesLevel, readonly NotesVerdict[]> = {
  major: ['major'],
  minor: ['major', 'minor'],
  // What is not tracked is as unknown as what is not judged.
  unknown: ['major', 'minor', 'unknown', 'not_tracked'],
};

const JUDGEMENTS: Record<Exclude<FailLevel, 'used'>, readonly ReportRow['judgement'][]> = {
  breaks: ['breaks'],
  may_break: ['breaks', 'may_break'],
  not_known: ['breaks', 'may_break', 'not_known'],
};

// What is not known to be unused counts as used.
const IN_USE = new Set(['used', 'not_met', 'unclear']);

type Checked = Pick<ReportRow, 'verdict' | 'judgement' | 'use' | 'ignored'>;

export function failsOn<T extends Checked>(rows: readonly T[], level: NotesLevel | FailLevel | undefined): T[] {
  return level === undefined ? [] : rows.filter((row) => !row.ignored && fails(row, level));
}

function fails({ verdict, judgement, use }: Checked, level: NotesLevel | FailLevel): boolean {
  if (level === 'used') return judgement === 'breaks' && IN_USE.has(use?.use ?? 'unclear');
  if (level in VERDICTS) return verdict !== null && VERDICTS[level as NotesLevel].includes(verdict);
  return JUDGEMENTS[level as Exclude<FailLevel, 'used'>].includes(judgement);
}
