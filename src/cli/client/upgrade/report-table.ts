// A report on a terminal: the answer, one line a package with the worst first, the counts. In a pipe, every row as a line.
import {
  GROUP_WORDS,
  groupOf,
  markOf,
  orderRows,
  type ReportGroup,
  totalsOf,
} from '../../../domain/upgrade/report/groups.ts';
import { isBreak, type ReportRow } from '../../../domain/upgrade/report/row.ts';
import { type SummaryOptions, summarySentence, totalsLine, useWords } from '../../../domain/upgrade/report/words.ts';
import type { Tone } from '../color.ts';
import type { Output } from '../output.ts';
import type { Column } from '../table.ts';

const TONES: Record<(typeof GROUP_WORDS)[ReportGroup]['level'], Tone> = {
  major: 'red',
  minor: 'yellow',
  unknown: 'dim',
  none: 'green',
  out: 'dim',
};

function moved({ from, to, notFromRegistry }: ReportRow): string {
  const [was, is] = from === to && notFromRegistry ? [notFromRegistry.from, notFromRegistry.to] : [from, to];
  return [was, is].filter((version) => version !== null).join(' → ');
}

function named({ package: name, copies }: ReportRow): string {
  return copies > 1 ? `${name}, one of ${copies} copies` : name;
}

const COLUMNS: readonly Column<ReportRow>[] = [
  {
    title: '',
    value: (row) => markOf(row).word.toLowerCase(),
    short: (row) => markOf(row).glyph,
    tone: (row) => TONES[markOf(row).level],
  },
  { title: 'PACKAGE', value: ({ package: name }) => name, short: named },
  { title: 'CHANGE', value: moved, tableOnly: true },
  { title: 'FROM', value: ({ from }) => from, plainOnly: true },
  { title: 'TO', value: ({ to }) => to, plainOnly: true },
  { title: 'WHAT BREAKS IT', value: ({ reason }) => reason.replaceAll('`', ''), flexible: true },
];

const USED: Column<ReportRow> = { title: 'USED HERE', value: ({ use }) => use && useWords(use) };

const PLAIN: readonly Column<ReportRow>[] = [
  { title: 'ECOSYSTEM', value: ({ ecosystem }) => ecosystem, plainOnly: true },
  { title: 'DIRECT', value: ({ direct }) => (direct === null ? '' : direct ? 'direct' : 'indirect'), plainOnly: true },
  { title: 'FIRST BREAK', value: ({ firstBreak }) => firstBreak, plainOnly: true },
  { title: 'DEV', value: ({ dev }) => (dev === null ? '' : dev ? 'dev' : 'production'), plainOnly: true },
  { title: 'SOURCE', value: ({ notFromRegistry }) => notFromRegistry?.source ?? 'registry', plainOnly: true },
];

// On a screen these are named up to a number and then counted.
const MAX_LISTED: Partial<Record<ReportGroup, number>> = {
  not_known: 3,
  no_sign: 0,
  up_to_date: 0,
  added: 0,
  removed: 0,
};

interface PrintOptions extends SummaryOptions {
  // Rows of other groups are only counted.
  breakingOnly?: boolean;
}

export function printReport(
  output: Output,
  rows: readonly ReportRow[],
  { breakingOnly = false, ...summary }: PrintOptions = {},
): void {
  const ordered = orderRows(rows).filter((row) => !breakingOnly || isBreak(row));
  const hasUses = rows.some(({ use }) => use !== undefined);
  const columns = [...COLUMNS, ...(hasUses ? [USED] : []), ...PLAIN];
  if (output.mode !== 'terminal') {
    output.rows(columns, ordered);
    output.note(totalsLine(rows));
    return;
  }
  output.line(`${summarySentence(rows, summary)}.`);
  if (rows.length === 0) return;
  output.line('');
  const seen = new Map<ReportGroup, number>();
  const listed = ordered.filter((row) => {
    const group = groupOf(row);
    seen.set(group, (seen.get(group) ?? 0) + 1);
    return (seen.get(group) ?? 0) <= (MAX_LISTED[group] ?? Number.POSITIVE_INFINITY);
  });
  output.rows(columns, listed);
  for (const [group, count] of Object.entries(totalsOf(rows)) as [ReportGroup, number][]) {
    const left = count - listed.filter((row) => groupOf(row) === group).length;
    if (left > 0) output.line(`${GROUP_WORDS[group].glyph} ${leftWords(group, left, count)}`);
  }
  output.line('');
  output.line(`${totalsLine(rows)}.`);
}

function leftWords(group: ReportGroup, left: number, count: number): string {
  const more = left < count ? `${left} more` : String(left);
  if (group === 'no_sign') return `${more} ${left === 1 ? 'shows' : 'show'} no sign of a break`;
  return `${more} ${left === 1 ? 'is' : 'are'} ${GROUP_WORDS[group].many}`;
}
