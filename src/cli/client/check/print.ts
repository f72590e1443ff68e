// Prints the report of a check: as a table by risk, in full, as markdown for a pull request, or as JSON.

import {
  advisoryWords,
  dependencies,
  gapsOf,
  notLookedAtWords,
  type ProjectReport,
  summaryOptions,
} from '../../../check/report.ts';
import { advisedWords } from '../../../domain/advisories/advised-package.ts';
import type { FailLevel } from '../../../domain/upgrade/report/fail-on.ts';
import { groupOf, markOf, totalsOf } from '../../../domain/upgrade/report/groups.ts';
import { reportMarkdown } from '../../../domain/upgrade/report/markdown.ts';
import { notesWords } from '../../../domain/upgrade/report/notes-told.ts';
import type { ReportRow, RowFinding } from '../../../domain/upgrade/report/row.ts';
import { formSentence, judgementWords, summarySentence, useWords } from '../../../domain/upgrade/report/words.ts';
import type { Output } from '../output.ts';
import { printableLine } from '../printable.ts';
import { printReport } from '../upgrade/report-table.ts';
import type { SharedReport } from './share.ts';

interface CheckPrint {
  // The server whose notes were read; null without one.
  server: string | null;
  isDetailed: boolean;
  // One package was asked for.
  isAlone: boolean;
  level: FailLevel | undefined;
  failed: readonly ReportRow[];
  // The report with an address that was made of it.
  shared: SharedReport | null;
}

export function printCheck(output: Output, report: ProjectReport, options: CheckPrint): void {
  if (output.mode === 'json') output.json(asData(report, options));
  else if (output.mode === 'markdown') {
    const address = options.shared ? [`The whole report: ${options.shared.webUrl}`] : [];
    const remarks = [...closingLines(report, options.server), ...address];
    const notices = advisoryLines(report).map(({ title, words, summaries }) =>
      [`${title}: ${words}`, ...summaries].join(' '),
    );
    output.text(reportMarkdown(report.rows, { marker: report.project, notices, remarks, ...summaryOptions(report) }));
  } else printText(output, report, options);
}

function printText(output: Output, report: ProjectReport, options: CheckPrint): void {
  const heading = headingOf(report);
  if (heading !== null) output.line(heading);
  printAdvisories(output, report);
  if (report.rows.length > 0) {
    if (output.mode === 'terminal') output.line('');
    if (options.isDetailed) printDetails(output, report, options.isAlone);
    else printReport(output, report.rows, { isProposal: report.base === null });
  }
  for (const line of closingLines(report, options.server)) output.note(line);
  if (!options.isDetailed && report.rows.some(({ findings, steps }) => findings.length + steps.length > 0)) {
    output.note('Steps with file and line: registry check --details');
  }
}

function printAdvisories(output: Output, report: ProjectReport): void {
  const lines = advisoryLines(report);
  if (lines.length === 0) return;
  output.line('');
  output.line('Covered by advisories');
  for (const { title, words, summaries } of lines) {
    put(output, 2, title, words);
    for (const summary of summaries) put(output, 4, summary);
  }
}

function advisoryLines({ advisories }: ProjectReport) {
  return (advisories?.packages ?? []).map((one) => ({
    title: `${one.name} ${one.version}`,
    words: advisedWords(one, new Date()),
    summaries: one.problems.flatMap(({ id, summary }) => (summary === null ? [] : [`${id}: ${summary}`])),
  }));
}

// Also said when there is nothing to list.
function headingOf(report: ProjectReport): string | null {
  const { project, rows, checked, base, to, only, leftOut } = report;
  if (base) {
    const place = `${base.ref} (${base.commit.slice(0, 7)})`;
    return rows.length === 0 ? `The lockfile is the same as at ${place}: no package changes.` : null;
  }
  const left = notLookedAtWords(report);
  const ending = left === null ? '.' : `; ${left}.`;
  if (checked === 0)
    return `${project}: no dependency ${leftOut.length > 0 ? 'could be looked at' : 'is named'}${ending}`;
  // Nobody told whether there is something newer than `?`.
  const newer = rows.filter(({ from, to: target }) => from !== target && target !== '?').length;
  const all = dependencies(checked, only);
  if (newer === 0 && rows.length === 0) {
    return `${project}: ${all} at ${checked === 1 ? 'its' : 'their'} latest version${left === null && leftOut.length === 0 ? '. Nothing to do.' : ending}`;
  }
  const allowed = to === 'wanted' ? ' that the manifest allows' : '';
  const unknown = rows.filter(({ to: target }) => target === '?').length;
  if (unknown === checked) {
    return `${project}: it is not known whether ${all} ${checked === 1 ? 'has' : 'have'} newer versions${allowed}${ending}`;
  }
  const others = unknown > 0 ? `; for ${unknown} more it is not known` : '';
  return `${project}: ${newer} of ${all} ${newer === 1 ? 'has a newer version' : 'have newer versions'}${allowed}${others}${ending}`;
}

function closingLines(report: ProjectReport, server: string | null): string[] {
  const { rows, compared, base, lockfile } = report;
  const told = rows.flatMap(({ notes }) => notes ?? []);
  return [
    ...(base ? [`Compared ${lockfile} with the one at ${base.ref} (${base.commit.slice(0, 7)}).`] : []),
    ...(told.length > 0 ? [`Notes: ${notesWords(told, server)}.`] : []),
    ...(rows.length > 0 ? [`Packages compared: ${compared.done} of ${compared.of}. Your code stayed here.`] : []),
    ...compilingGaps(rows),
    ...ownNode(rows),
    advisoryWords(report),
    ...gapsOf(report),
  ];
}

// What --prove could not do, or not wholly, by its reason.
function compilingGaps(rows: readonly ReportRow[]): string[] {
  const proofs = rows.flatMap(({ proof }) => (proof?.reason ? [proof] : []));
  return [...Map.groupBy(proofs, ({ status, reason }) => `${status} ${reason}`).values()].map((alike) => {
    const { status, reason } = alike[0] ?? {};
    const done = status === 'not_done' ? 'Not compiled' : 'Compiled in part';
    return `${done} with the new version: ${alike.length} ${alike.length === 1 ? 'package' : 'packages'}, ${reason}.`;
  });
}

// Raised engines that only the Node of this run could be held against.
function ownNode(rows: readonly ReportRow[]): string[] {
  const isWitness = ({ name, use }: RowFinding) => name === 'engines.node' && use?.has !== undefined && use.count === 0;
  if (!rows.some(({ findings }) => findings.some(isWitness))) return [];
  return [
    'The project names no Node version, so the one of this run was taken: add engines.node to package.json, or a .nvmrc.',
  ];
}

// The body of `--json`; docs/check.md has its schema.
function asData(report: ProjectReport, { server, level, failed, shared }: CheckPrint) {
  const { rows, advisories, ...rest } = report;
  const now = new Date();
  return {
    version: 1,
    ...rest,
    advisories: advisories && {
      ...advisories,
      packages: advisories.packages.map((one) => ({ ...one, words: advisedWords(one, now) })),
    },
    server,
    summary: summarySentence(rows, summaryOptions(report)),
    totals: totalsOf(rows),
    ...(level === undefined ? {} : { failOn: level, failed: failed.length }),
    ...(shared === null ? {} : { shared }),
    packages: rows.map((row) => ({ group: groupOf(row), ...row })),
  };
}

// The long form: for each package what breaks, where it is used, what to do, and what is not known.

const SILENT = new Set(['no_sign', 'up_to_date', 'added', 'removed', 'elsewhere', 'ignored']);
const MAX_FINDINGS = 40;

function printDetails(output: Output, { rows }: ProjectReport, isAlone: boolean): void {
  for (const row of rows) {
    const group = groupOf(row);
    if (SILENT.has(group) && !isAlone) continue;
    const step = [row.from, row.to].filter((one) => one !== null).join(' → ');
    output.line('');
    put(output, 0, `${markOf(row).glyph} ${row.package}`, step, judgementWords(row));
    proof(output, row);
    findings(output, row);
    steps(output, row);
    if (row.judgement === 'not_known') {
      output.line('');
      output.line('Not known');
      put(output, 2, row.reason);
    } else if (row.findings.length === 0) put(output, 2, row.reason);
    if (row.ignored)
      put(output, 2, `Ignored: ${row.ignored.reason}${row.ignored.until ? ` (until ${row.ignored.until})` : ''}`);
  }
}

// A line with its parts two blanks apart; blanks inside of strangers' words are made one.
function put(output: Output, indent: number, ...parts: string[]): void {
  output.painted(`${' '.repeat(indent)}${parts.map(printableLine).join('  ')}`);
}

// Errors that the compiler has only with the new version.
function proof(output: Output, { proof: seen }: ReportRow): void {
  if (!seen) return;
  output.line('');
  if (seen.status === 'not_done') output.line(`Could not be compiled with the new version: ${seen.reason ?? ''}`);
  else if (seen.errors.length === 0) {
    output.line(`Compiled with the new version: no new errors${seen.reason ? `, ${seen.reason}` : ''}`);
  } else output.line('Fails to compile with the new version');
  for (const { file, line, code, message } of seen.errors.slice(0, MAX_FINDINGS)) {
    put(output, 2, `${file}:${line}`, `${message} (${code})`);
  }
}

const PARTS: readonly { title: string; holds: (finding: RowFinding) => boolean }[] = [
  { title: 'Breaks your code', holds: ({ use }) => use?.use === 'used' || use?.use === 'not_met' },
  { title: 'Cannot be told from your code', holds: ({ use }) => use?.use === 'unclear' },
  { title: 'Breaks, but you do not use it', holds: ({ use }) => use !== undefined },
  { title: 'What the package shows', holds: () => true },
];

function findings(output: Output, row: ReportRow): void {
  let left: readonly RowFinding[] = row.findings;
  for (const { title, holds } of PARTS) {
    const shown = left.filter(holds);
    left = left.filter((one) => !holds(one));
    if (shown.length === 0) continue;
    output.line('');
    output.line(title);
    for (const finding of shown.slice(0, MAX_FINDINGS)) finding1(output, finding);
    if (shown.length > MAX_FINDINGS) put(output, 2, `${shown.length - MAX_FINDINGS} more: --json`);
  }
}

function finding1(output: Output, { text, certainty, was, is, use }: RowFinding): void {
  const isUsed = use?.use === 'used' || use?.use === 'not_met';
  put(output, 2, `${text.replaceAll('`', '')} · ${certainty}${use && !isUsed ? ` · ${useWords(use)}` : ''}`);
  if (!isUsed) {
    if (use?.use === 'unclear') for (const { file, line } of use.places) put(output, 4, `perhaps ${file}:${line}`);
    return;
  }
  if (was) put(output, 4, 'was', was);
  if (is) put(output, 4, 'is ', is);
  for (const { file, line } of use.places) put(output, 4, `${file}:${line}`);
  if (use.count > use.places.length) put(output, 4, `${use.count - use.places.length} more places`);
  if (use.has !== undefined) put(output, 4, use.has);
}

function steps(output: Output, { steps: all, moreSteps }: ReportRow): void {
  if (all.length === 0) return;
  output.line('');
  output.line('Steps');
  for (const [index, { text, versions, from, forms = [] }] of all.entries()) {
    put(output, 2, String(index + 1), text, [...versions, from].join(', '));
    for (const form of forms) put(output, 6, formSentence(form).replaceAll('`', ''));
  }
  if (moreSteps > 0) put(output, 2, `${moreSteps} more`);
}
