// A report on the upgrades of a project as markdown, for a comment on a pull request.
import type { UpgradeEntry, WhatsChanged } from '../../contract/whats-changed.ts';
import type { ReportRow, UpgradeReport, UpgradeRisk } from './report.ts';
import { breaks, OTHER_WORDS, rowNote } from './report-words.ts';

const RISK_WORDS: Record<UpgradeRisk, string> = {
  major: 'Breaks',
  minor: 'May break',
  none: 'No sign of a break',
  unknown: 'Not known',
  not_tracked: 'Not tracked',
};

// What the notes of one version say.
const NOTE_WORDS: Record<UpgradeEntry['breaking'], string> = {
  major: 'breaking',
  minor: 'minor break',
  none: 'no break',
  unknown: 'not judged',
};

const SHOWN_STEPS = 12;

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
  return `${all}: ${major} ${major === 1 ? 'breaks' : 'break'}, ${minor} may break, ${none} without a sign of a break, ${unknown} not known, ${not_tracked} not tracked.`;
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
    '| Risk | Package | Range | Releases | What breaks it, or why it is not known |',
    '|---|---|---|---:|---|',
    ...lines,
  ].join('\n');
}

function section({ name, answer }: ReportRow): string {
  const entries = answer?.entries.filter(({ breaking }) => breaking === 'major' || breaking === 'minor') ?? [];
  return [`### ${code(name)}`, stepList(answer), ...entries.map(entryBlock)].filter(Boolean).join('\n\n');
}

function stepList(answer: WhatsChanged | null): string {
  const { steps = [], moreSteps = 0 } = answer ?? {};
  if (steps.length === 0) return '';
  const shown = steps.slice(0, SHOWN_STEPS);
  const left = steps.length - shown.length + moreSteps;
  const lines = shown.map(({ text, versions, from }, index) => {
    const tellers = [...versions.map(plain), ...(from === 'package' ? ['seen in the package'] : [])].join(', ');
    return `${index + 1}. ${plain(text)}${tellers ? ` (${tellers})` : ''}`;
  });
  return ['What to do:', '', ...lines, ...(left > 0 ? [`${shown.length + 1}. and ${left} more`] : [])].join('\n');
}

function entryBlock({ version, title, summary, excerpt, webUrl, breaking }: UpgradeEntry): string {
  return `**[${plain(version ?? title)}](${webUrl})** (${NOTE_WORDS[breaking]}): ${plain(summary || excerpt || title)}`;
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
