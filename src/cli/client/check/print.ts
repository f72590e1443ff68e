// Prints the report of a check: as a table by risk, in full, as markdown for a pull request, or as JSON.
import type { ProjectReport } from '../../../check/report.ts';
import type { FailLevel } from '../../../domain/upgrade/report/fail-on.ts';
import { groupOf, totalsOf } from '../../../domain/upgrade/report/groups.ts';
import { reportMarkdown } from '../../../domain/upgrade/report/markdown.ts';
import type { ReportRow } from '../../../domain/upgrade/report/row.ts';
import { summarySentence } from '../../../domain/upgrade/report/words.ts';
import type { Output } from '../output.ts';
import { printReport } from '../upgrade/report-table.ts';
import { printDetails } from './details.ts';

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
