// The order of a report: seven groups by risk, and behind them what there is nothing to judge of. Their words stand here for
// every place that shows them.

import { recordOf } from '../../records.ts';
import type { UseWord } from '../../uses/use.ts';
import { compareVersionKeys, versionSort } from '../../versions/index.ts';
import { JUDGEMENT_WORDS } from '../verdict-words.ts';
import { isNeedAlone, isUsed, type ReportRow } from './row.ts';

interface GroupWords {
  // What comes behind the number 1, and behind any other.
  one: string;
  many: string;
  // The word of one row.
  word: string;
  // A sentence under the heading.
  note: string;
  // What one does next; empty where there is nothing to do.
  next: string;
  level: 'major' | 'minor' | 'unknown' | 'none' | 'out';
  glyph: string;
  // Where a terminal has no such characters.
  letter: string;
}

const RISKS = {
  breaks_used: {
    one: 'breaks and is used',
    many: 'break and are used',
    word: JUDGEMENT_WORDS.breaks,
    note: 'They break, and this project uses what changed.',
    next: 'do something first',
    level: 'major',
    glyph: '◆',
    letter: 'X',
  },
  security: {
    one: 'security fix',
    many: 'security fixes',
    word: 'Security',
    note: 'The notes tell of a security fix, so waiting has a price.',
    next: 'update soon',
    level: 'minor',
    glyph: '▲',
    letter: '!',
  },
  breaks: {
    one: 'breaks',
    many: 'break',
    word: 'Breaks',
    note: 'Called breaking in the notes, or proven by the package itself.',
    next: 'do something first',
    level: 'major',
    glyph: '◆',
    letter: 'X',
  },
  may_break_used: {
    one: 'may break and is used',
    many: 'may break and are used',
    word: JUDGEMENT_WORDS.may_break,
    note: 'They may break, and this project uses what changed.',
    next: 'look at them first',
    level: 'minor',
    glyph: '◐',
    letter: '~',
  },
  may_break: {
    one: 'may break',
    many: 'may break',
    word: JUDGEMENT_WORDS.may_break,
    note: 'The notes say that it may break, or the package itself makes it likely.',
    next: 'look at them',
    level: 'minor',
    glyph: '◐',
    letter: '~',
  },
  not_known: {
    one: 'not known',
    many: 'not known',
    word: JUDGEMENT_WORDS.not_known,
    note: 'Something is missing; the line says what.',
    next: 'read their notes yourself, or wait',
    level: 'unknown',
    glyph: '◌',
    letter: '?',
  },
  no_sign: {
    one: 'no sign of a break',
    many: 'no sign of a break',
    word: JUDGEMENT_WORDS.no_sign,
    note: 'Every version of the range was read and judged, and the packages show no change that breaks, where they are compared. It is no promise.',
    next: 'update them, and run your tests',
    level: 'none',
    glyph: '✓',
    letter: 'ok',
  },
} as const satisfies Record<string, GroupWords>;

const OTHERS = {
  elsewhere: {
    one: 'not from a registry',
    many: 'not from a registry',
    word: 'Not from a registry',
    note: 'Their code changed, but no registry has notes for it.',
    next: '',
    level: 'out',
    glyph: '◌',
    letter: '?',
  },
  up_to_date: {
    one: 'at the latest version known',
    many: 'at the latest version known',
    word: 'Up to date',
    note: 'Nothing newer is known.',
    next: '',
    level: 'none',
    glyph: '✓',
    letter: 'ok',
  },
  added: {
    one: 'added',
    many: 'added',
    word: 'Added',
    note: 'There is no earlier version to compare with.',
    next: '',
    level: 'out',
    glyph: '+',
    letter: '+',
  },
  removed: {
    one: 'removed',
    many: 'removed',
    word: 'Removed',
    note: 'There is no later version to compare with.',
    next: '',
    level: 'out',
    glyph: '-',
    letter: '-',
  },
  done: {
    one: 'done',
    many: 'done',
    word: 'Done',
    note: 'Somebody has dealt with these versions.',
    next: '',
    level: 'out',
    glyph: '·',
    letter: '.',
  },
  ignored: {
    one: 'ignored',
    many: 'ignored',
    word: 'Ignored',
    note: 'The project says that these are ignored, and why.',
    next: '',
    level: 'out',
    glyph: '·',
    letter: '.',
  },
} as const satisfies Record<string, GroupWords>;

export type ReportGroup = keyof typeof RISKS | keyof typeof OTHERS;

export const GROUP_WORDS: Record<ReportGroup, GroupWords> = { ...RISKS, ...OTHERS };

// Highest risk first.
export const GROUPS = [
  'breaks_used',
  'security',
  'breaks',
  'may_break_used',
  'may_break',
  'not_known',
  'no_sign',
  'elsewhere',
  'up_to_date',
  'added',
  'removed',
  'done',
  'ignored',
] as const satisfies readonly ReportGroup[];

export function groupOf(row: ReportRow): ReportGroup {
  if (row.done) return 'done';
  if (row.ignored) return 'ignored';
  if (row.from === null) return 'added';
  if (row.to === null) return 'removed';
  if (row.notFromRegistry) return 'elsewhere';
  if (row.judgement === 'breaks' && isUsed(row)) return 'breaks_used';
  if (row.security) return 'security';
  if (row.judgement === 'may_break' && isUsed(row)) return 'may_break_used';
  return row.judgement ?? 'up_to_date';
}

// 1 is the highest risk, 7 no sign of a break; what is behind has nothing to judge.
export function rankOf(row: ReportRow): number {
  return GROUPS.indexOf(groupOf(row)) + 1;
}

// What is surely in use comes first, what surely is not comes last.
const USE_ORDER: readonly (UseWord | undefined)[] = [
  'used',
  'not_met',
  'unclear',
  undefined,
  'imported_not_used',
  'met',
  'not_used',
  'not_imported',
];

const JUDGEMENT_ORDER: readonly ReportRow['judgement'][] = ['breaks', 'may_break', 'not_known', 'no_sign', null];

// By risk; within security fixes what breaks comes first; then by use, direct dependencies first, then by name and version.
export function orderRows(rows: readonly ReportRow[]): ReportRow[] {
  const version = ({ from, to }: ReportRow) => versionSort(from ?? to ?? '') ?? '';
  const placed = rows.map((row) => ({ row, place: placeOf(row) }));
  placed.sort(
    ({ row: a, place }, { row: b, place: other }) =>
      place - other || inOrder(a.package, b.package) || compareVersionKeys(version(a), version(b)),
  );
  return placed.map(({ row }) => row);
}

function placeOf(row: ReportRow): number {
  const judged = rankOf(row) * JUDGEMENT_ORDER.length + JUDGEMENT_ORDER.indexOf(row.judgement);
  const place = judged * USE_ORDER.length + USE_ORDER.indexOf(row.use?.use);
  return place * 2 + Number(row.direct !== true);
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// How a row is shown. What only needs something around it is no break of code.
export function markOf(row: ReportRow): Pick<GroupWords, 'word' | 'glyph' | 'level'> {
  const words: GroupWords = GROUP_WORDS[groupOf(row)];
  if (!isNeedAlone(row) || words.level !== 'major') return words;
  return { word: 'Needs', glyph: '◇', level: isUsed(row) ? 'major' : 'minor' };
}

export type ReportTotals = Record<ReportGroup, number>;

export function totalsOf(rows: readonly ReportRow[]): ReportTotals {
  const totals = recordOf(GROUPS, () => 0);
  for (const row of rows) totals[groupOf(row)] += 1;
  return totals;
}
