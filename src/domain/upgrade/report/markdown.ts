// A report as markdown, for a comment on a pull request: the answer, a table of what breaks, the rest folded. Texts of
// packages and notes are strangers' words: they bring no HTML, picture, link or mention of their own.
import { codeSpan, escapedName, escapedText, linkTo, textWithCode } from '../../markdown/strangers-text.ts';
import { projectSteps } from '../steps/project-steps.ts';
import { GROUP_WORDS, groupOf, markOf, orderRows, type ReportGroup } from './groups.ts';
import { isBreak, isUsed, type ReportRow, stepsInUse } from './row.ts';
import { countWords, formSentence, type SummaryOptions, summarySentence, totalsLine, useWords } from './words.ts';

interface MarkdownOptions extends SummaryOptions {
  // By which a later run finds its comment: the name of the project.
  marker?: string;
  breakingOnly?: boolean;
  // The address of a line of the project on its code host.
  placeUrl?: (place: { file: string; line: number }) => string | null;
  // The address of a page on the range of a package.
  pageUrl?: (row: ReportRow) => string | null;
  // Sentences above everything else, with texts of strangers in them.
  notices?: readonly string[];
  // Sentences below the report: what was compared with what, what is missing. Branches, files and hosts are named in them.
  remarks?: readonly string[];
}

// Below the limit of code hosts of 65,536 characters.
const MAX_LENGTH = 60_000;
const MAX_ROWS = 200;
const MAX_NAMED = 60;
const MAX_STEPS = 40;
const MAX_NOTICES = 100;
const MAX_NOTICE_LENGTH = 1_000;
const MAX_FORMS = 4;
const MAX_REASON_LENGTH = 300;

const IN_TABLE = new Set<ReportGroup>(['breaks_used', 'security', 'breaks', 'may_break_used', 'may_break']);
const NAMED = ['no_sign', 'elsewhere', 'up_to_date', 'added', 'removed', 'done', 'ignored'] as const;

export function reportMarkdown(rows: readonly ReportRow[], options: MarkdownOptions = {}): string {
  const ordered = orderRows(rows);
  const inTable = ordered.filter((row) => IN_TABLE.has(groupOf(row)));
  const unknown = ordered.filter((row) => groupOf(row) === 'not_known');
  // What is dropped first when the comment is too long comes last.
  for (let room = 1; ; room /= 2) {
    const most = (count: number) => Math.max(1, Math.floor(count * room));
    const parts = [
      ...(options.marker === undefined ? [] : [markerLine(options.marker)]),
      `### ${summarySentence(rows, options)}`,
      ...(rows.length > 0 ? [`${totalsLine(rows)}.`] : []),
      noticeList(options.notices ?? [], most(MAX_NOTICES)),
      table(inTable, most(MAX_ROWS), options),
      steps(inTable.filter(isBreak), most(MAX_STEPS)),
      ...(options.breakingOnly
        ? [notListed(unknown)]
        : [notKnown(unknown, most(MAX_ROWS)), others(ordered, most(MAX_NAMED))]),
      ...(options.remarks ?? []).map(textWithCode),
      rows.some(({ judgement }) => judgement === 'no_sign')
        ? 'No sign of a break is no promise: behaviour can change without a word.'
        : '',
    ];
    const text = `${parts.filter(Boolean).join('\n\n')}\n`;
    if (text.length <= MAX_LENGTH || room < 1 / 64) return text;
  }
}

function noticeList(notices: readonly string[], most: number): string {
  const left = notices.length - most;
  const lines = notices.slice(0, most).map((notice) => `- ${escapedText(notice.slice(0, MAX_NOTICE_LENGTH))}`);
  return [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n');
}

// The line by which the comment of an earlier run is found.
function markerLine(name: string): string {
  const plain = name
    .replaceAll(/[^\w./@]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .slice(0, 80);
  return `<!-- release-registry:check ${plain} -->`;
}

function table(rows: readonly ReportRow[], most: number, { placeUrl, pageUrl }: MarkdownOptions): string {
  if (rows.length === 0) return '';
  const hasUses = rows.some(({ use }) => use !== undefined);
  const lines = rows.slice(0, most).map((row) => {
    const { word } = markOf(row);
    const strong = row.judgement === 'breaks' || row.security ? `**${word}**` : word;
    const cells = [strong, nameCell(row, pageUrl?.(row) ?? null), change(row), reason(row)];
    return `| ${(hasUses ? [...cells, useCell(row, placeUrl)] : cells).join(' | ')} |`;
  });
  const left = rows.length - lines.length;
  return [
    `| Risk | Package | Change | What breaks it |${hasUses ? ' Used here |' : ''}`,
    `|---|---|---|---|${hasUses ? '---|' : ''}`,
    ...lines,
    ...(left > 0 ? ['', `${left} more are left out here.`] : []),
  ].join('\n');
}

function nameCell(row: ReportRow, url: string | null): string {
  const name = isUsed(row) ? `**${codeSpan(row.package)}**` : codeSpan(row.package);
  const marks = [
    row.direct === false && 'indirect',
    row.dev && 'dev',
    row.copies > 1 && `one of ${row.copies} copies`,
  ].filter(Boolean);
  const linked = url === null ? name : linkTo(url, name);
  return marks.length > 0 ? `${linked} (${marks.join(', ')})` : linked;
}

function change({ from, to, notFromRegistry }: ReportRow): string {
  const [was, is] = from === to && notFromRegistry ? [notFromRegistry.from, notFromRegistry.to] : [from, to];
  return [was, is]
    .filter((version) => version !== null)
    .map((version) => escapedName(version))
    .join(' → ');
}

function reason(row: ReportRow): string {
  const line =
    row.reason.length > MAX_REASON_LENGTH ? `${row.reason.slice(0, MAX_REASON_LENGTH).toWellFormed()}…` : row.reason;
  return textWithCode(line);
}

function useCell({ use }: ReportRow, placeUrl: MarkdownOptions['placeUrl']): string {
  if (use === undefined) return '';
  const [place] = use.places;
  const url = use.use === 'used' && place ? (placeUrl?.(place) ?? null) : null;
  const words = escapedText(useWords(use));
  return url === null ? words : linkTo(url, words);
}

function steps(rows: readonly ReportRow[], most: number): string {
  const merged = projectSteps(
    rows.map((row) => ({
      entry: row,
      breaking: row.judgement === 'breaks' ? 'major' : 'minor',
      steps: stepsInUse(row).map(({ text }) => text),
    })),
  );
  const untouched = rows.reduce((sum, row) => sum + row.steps.length - stepsInUse(row).length, 0);
  const spared =
    untouched === 0
      ? ''
      : `${stepsWords(untouched)} of what is not used here ${untouched === 1 ? 'is' : 'are'} left out.`;
  if (merged.length === 0) return spared;
  const lines = merged.slice(0, most).map(({ text, entries }, index) => {
    const names = entries.map((row) => tellers(row, text)).join(', ');
    const forms = entries.flatMap((row) => row.steps.find((step) => step.text === text)?.forms ?? []);
    const seen = forms.slice(0, MAX_FORMS).map((form) => `   - ${textWithCode(formSentence(form))}`);
    return [`${index + 1}. ${textWithCode(text)} _(${names})_`, ...seen].join('\n');
  });
  const left = merged.length - lines.length + rows.reduce((sum, row) => sum + row.moreSteps, 0);
  const all = merged.length + rows.reduce((sum, row) => sum + row.moreSteps, 0);
  return folded(`What to do: ${stepsWords(all)}`, [
    ...lines,
    ...(left > 0 ? [`${lines.length + 1}. and ${left} more`] : []),
    ...(spared === '' ? [] : ['', spared]),
  ]);
}

function stepsWords(count: number): string {
  return `${count} ${count === 1 ? 'step' : 'steps'}`;
}

function tellers(row: ReportRow, text: string): string {
  const step = row.steps.find((one) => one.text === text);
  const versions = (step?.versions ?? []).slice(0, 4).map(escapedName).join(', ');
  const seen = step?.from === 'package' ? ', seen in the package' : '';
  return `${`${escapedName(row.package)} ${versions}`.trim()}${seen}`;
}

function notKnown(rows: readonly ReportRow[], most: number): string {
  if (rows.length === 0) return '';
  const lines = rows.slice(0, most).map((row) => `| ${nameCell(row, null)} | ${change(row)} | ${reason(row)} |`);
  const left = rows.length - lines.length;
  return folded(countWords('not_known', rows.length), [
    '| Package | Change | Why |',
    '|---|---|---|',
    ...lines,
    ...(left > 0 ? ['', `${left} more are left out here.`] : []),
  ]);
}

function notListed(rows: readonly ReportRow[]): string {
  return rows.length > 0 ? `${rows.length} that are not known are not listed.` : '';
}

function others(ordered: readonly ReportRow[], most: number): string {
  const lists = NAMED.map((group) => ({ group, rows: ordered.filter((row) => groupOf(row) === group) })).filter(
    ({ rows }) => rows.length > 0,
  );
  if (lists.length === 0) return '';
  const lines = lists.map(({ group, rows }) => {
    const names = rows.slice(0, most).map((row) => `${codeSpan(row.package)}${kindOf(row)}`);
    const left = rows.length - names.length;
    return `${GROUP_WORDS[group].word}: ${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
  });
  const title = lists.map(({ group, rows }) => countWords(group, rows.length)).join(', ');
  return folded(title, [lines.join('\n\n')]);
}

const KINDS = { registry: '', git: ' (git)', file: ' (folder)', link: ' (folder)', url: ' (archive)' } as const;

function kindOf({ notFromRegistry, ignored }: ReportRow): string {
  if (ignored) return ` (${escapedText(ignored.reason)})`;
  return notFromRegistry ? KINDS[notFromRegistry.source] : '';
}

function folded(title: string, lines: readonly string[]): string {
  return [`<details><summary><b>${title}</b></summary>`, '', ...lines, '', '</details>'].join('\n');
}
