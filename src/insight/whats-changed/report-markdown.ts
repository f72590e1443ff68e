// A report on the upgrades of a project as markdown, for a comment on a pull request.
import type { UpgradeEntry } from '../../contract/whats-changed.ts';
import type { ReportRow, UpgradeReport, UpgradeRisk } from './report.ts';
import { breaks, OTHER_WORDS, rowNote } from './report-words.ts';

const RISK_WORDS: Record<UpgradeRisk, string> = {
  major: 'Breaking',
  minor: 'Minor break',
  none: 'No break',
  unknown: 'Not known',
  not_tracked: 'Not tracked',
};

export function upgradeMarkdown(report: UpgradeReport, { breakingOnly = false } = {}): string {
  const rows = breakingOnly ? report.rows.filter(breaks) : report.rows;
  const parts = [
    `## What’s changed\n\n${totalsLine(report)}`,
    rows.length > 0 ? table(rows) : '',
    ...rows.filter(breaks).map(section),
    breakingOnly ? '' : othersList(report),
    report.omitted > 0 ? `${report.omitted} more changed packages are not part of this report.` : '',
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function totalsLine({ totals, rows }: Pick<UpgradeReport, 'totals' | 'rows'>): string {
  const { major, minor, none, unknown, not_tracked } = totals;
  const all = `${rows.length} changed ${rows.length === 1 ? 'package' : 'packages'}`;
  return `${all}: ${major} breaking, ${minor} minor, ${none} without a break, ${unknown} not known, ${not_tracked} not tracked.`;
}

function table(rows: readonly ReportRow[]): string {
  const lines = rows.map((row) => {
    const [from, to] = [row.answer?.fromVersion ?? row.from, row.answer?.toVersion ?? row.to];
    const cells = [
      RISK_WORDS[row.risk],
      code(row.name),
      `${code(from)} → ${code(to)}`,
      String(row.answer?.total ?? ''),
    ];
    return `| ${[...cells, plain(rowNote(row))].join(' | ')} |`;
  });
  return [
    '| Verdict | Package | Range | Releases | What breaks it, or why it is not known |',
    '|---|---|---|---:|---|',
    ...lines,
  ].join('\n');
}

function section({ name, answer }: ReportRow): string {
  const entries = answer?.entries.filter(({ breaking }) => breaking === 'major' || breaking === 'minor') ?? [];
  return [`### ${code(name)}`, ...entries.map(entryBlock)].join('\n\n');
}

function entryBlock({ version, title, summary, excerpt, migrationNotes, webUrl, breaking }: UpgradeEntry): string {
  const head = `**[${plain(version ?? title)}](${webUrl})** (${RISK_WORDS[breaking].toLowerCase()}): ${plain(summary || excerpt || title)}`;
  const steps = (migrationNotes ?? '').split('\n').filter((line) => line.trim() !== '');
  return [head, ...steps.map((step) => `> ${plain(step)}`)].join('\n');
}

function othersList({ others, othersOmitted }: Pick<UpgradeReport, 'others' | 'othersOmitted'>): string {
  if (others.length === 0) return '';
  const lines = others.map(({ name, from, to, fromRef, toRef, reason }) => {
    const [was, is] = from === to ? [fromRef, toRef] : [from, to];
    const versions = [was, is].filter((version) => version !== null).map(code);
    return `- ${code(name)} ${OTHER_WORDS[reason]}${versions.length > 0 ? ` (${versions.join(' → ')})` : ''}`;
  });
  if (othersOmitted > 0) lines.push(`- and ${othersOmitted} more`);
  return `Not compared:\n\n${lines.join('\n')}`;
}

// Untrusted text in a table cell: one line, without HTML and without mentions.
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll('<', '&lt;')
    .replaceAll('|', '\\|')
    .replaceAll(/[[\]!]/g, '\\$&')
    .replaceAll(/@(?=\w)/g, '@\u200b')
    .replaceAll(/(?<=^|\W)#(?=\d)/g, '#\u200b');
}

function code(text: string): string {
  return `\`${text.replaceAll(/[`|\s]+/g, ' ').trim()}\``;
}
