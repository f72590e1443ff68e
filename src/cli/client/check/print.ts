// Prints the report of a check: as a table by risk, in full, as markdown for a pull request, or as JSON.
import type { ProjectReport } from '../../../check/report.ts';
import type { Finding } from '../../../domain/evidence/finding.ts';
import type { FailLevel } from '../../../domain/upgrade/report/fail-on.ts';
import { GROUP_WORDS, groupOf, totalsOf } from '../../../domain/upgrade/report/groups.ts';
import { reportMarkdown } from '../../../domain/upgrade/report/markdown.ts';
import type { ReportRow, RowUse } from '../../../domain/upgrade/report/row.ts';
import { judgementWords, summarySentence, useWords } from '../../../domain/upgrade/report/words.ts';
import type { Output } from '../output.ts';
import { printableLine } from '../printable.ts';
import { printReport } from '../upgrade/report-table.ts';

interface CheckPrint {
  // The server whose notes were read; null without one.
  server: string | null;
  isDetailed: boolean;
  // One package was asked for.
  isAlone: boolean;
  level: FailLevel | undefined;
  failed: readonly ReportRow[];
}

export function printCheck(output: Output, report: ProjectReport, options: CheckPrint): void {
  if (output.mode === 'json') output.json(asData(report, options));
  else if (output.mode === 'markdown') {
    const remarks = closingLines(report, options.server);
    output.text(reportMarkdown(report.rows, { marker: report.project, remarks, isProposal: report.base === null }));
  } else printText(output, report, options);
}

function printText(output: Output, report: ProjectReport, options: CheckPrint): void {
  const heading = headingOf(report);
  if (heading !== null) output.line(heading);
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

// Also said when there is nothing to list.
function headingOf({ project, rows, checked, base, to }: ProjectReport): string | null {
  if (base) {
    const place = `${base.ref} (${base.commit.slice(0, 7)})`;
    return rows.length === 0 ? `The lockfile is the same as at ${place}: no package changes.` : null;
  }
  // Nobody told whether there is something newer than `?`.
  const newer = rows.filter(({ from, to: target }) => from !== target && target !== '?').length;
  const all = `${checked} ${checked === 1 ? 'dependency' : 'dependencies'}`;
  if (newer === 0 && rows.length === 0) return `${project}: ${all} at their latest version. Nothing to do.`;
  const allowed = to === 'wanted' ? ' that the manifest allows' : '';
  const unknown = rows.filter(({ to: target }) => target === '?').length;
  if (unknown === checked)
    return `${project}: it is not known whether ${all} ${checked === 1 ? 'has' : 'have'} newer versions${allowed}.`;
  const others = unknown > 0 ? `; for ${unknown} more it is not known` : '';
  return `${project}: ${newer} of ${all} ${newer === 1 ? 'has a newer version' : 'have newer versions'}${allowed}${others}.`;
}

function closingLines(
  { rows, compared, incomplete, leftOut, base, lockfile }: ProjectReport,
  server: string | null,
): string[] {
  const notes = server === null ? 'no server is named, so only notes inside of packages were read' : server;
  return [
    ...(base ? [`Compared ${lockfile} with the one at ${base.ref} (${base.commit.slice(0, 7)}).`] : []),
    ...(rows.length > 0 ? [`Notes: ${notes}. Packages compared: ${compared.done} of ${compared.of}.`] : []),
    ...leftOut.map((one) => `Left out: ${one}.`),
    ...notCompiled(rows),
    ...unknownNode(rows),
    ...incomplete.map(({ reason, packages }) => {
      const count = `${packages} ${packages === 1 ? 'package' : 'packages'}`;
      return `${count} could not be asked, so this report is not complete: ${reason}`;
    }),
  ];
}

// What --prove could not do, by its reason.
function notCompiled(rows: readonly ReportRow[]): string[] {
  const reasons = rows.flatMap(({ proof }) => (proof?.status === 'not_done' ? [proof.reason ?? ''] : []));
  return [...Map.groupBy(reasons, (reason) => reason)].map(([reason, { length }]) => {
    return `Not compiled with the new version: ${length} ${length === 1 ? 'package' : 'packages'}, ${reason}.`;
  });
}

// Raised engines that nothing in the project can be held against.
function unknownNode(rows: readonly ReportRow[]): string[] {
  const { length } = rows.filter(({ findings }) =>
    findings.some(
      ({ kind, use }: UsedFinding) => kind === 'engines_raised' && use?.use === 'unclear' && use.count === 0,
    ),
  );
  if (length === 0) return [];
  const packages = length === 1 ? '1 package needs' : `${length} packages need`;
  return [
    `${packages} a newer Node, and nothing says which one you run: add engines.node to package.json, or a .nvmrc.`,
  ];
}

// The body of `--json`; docs/check.md has its schema.
function asData(report: ProjectReport, { server, level, failed }: CheckPrint) {
  const { rows, ...rest } = report;
  return {
    version: 1,
    ...rest,
    server,
    summary: summarySentence(rows, { isProposal: report.base === null }),
    totals: totalsOf(rows),
    ...(level === undefined ? {} : { failOn: level, failed: failed.length }),
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
    put(output, 0, `${GROUP_WORDS[group].glyph} ${row.package}`, step, judgementWords(row));
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

type UsedFinding = Finding & { use?: RowUse };

const PARTS: readonly { title: string; holds: (finding: UsedFinding) => boolean }[] = [
  { title: 'Breaks your code', holds: ({ use }) => use?.use === 'used' || use?.use === 'not_met' },
  { title: 'Cannot be told from your code', holds: ({ use }) => use?.use === 'unclear' },
  { title: 'Breaks, but you do not use it', holds: ({ use }) => use !== undefined },
  { title: 'What the package shows', holds: () => true },
];

function findings(output: Output, row: ReportRow): void {
  let left: readonly UsedFinding[] = row.findings;
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

function finding1(output: Output, { text, certainty, was, is, use }: UsedFinding): void {
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
  for (const [index, { text, versions, from }] of all.entries()) {
    put(output, 2, String(index + 1), text, [...versions, from].join(', '));
  }
  if (moreSteps > 0) put(output, 2, `${moreSteps} more`);
}
