// The long form: for each package what breaks, where it is used, what to do, and what is not known.
import type { ProjectReport } from '../../../check/report.ts';
import type { Finding } from '../../../domain/evidence/finding.ts';
import { GROUP_WORDS, groupOf } from '../../../domain/upgrade/report/groups.ts';
import type { ReportRow, RowUse } from '../../../domain/upgrade/report/row.ts';
import { judgementWords, useWords } from '../../../domain/upgrade/report/words.ts';
import type { Output } from '../output.ts';
import { printableLine } from '../printable.ts';

const SILENT = new Set(['no_sign', 'up_to_date', 'added', 'removed', 'elsewhere', 'ignored']);
const MAX_FINDINGS = 40;

export function printDetails(output: Output, { rows }: ProjectReport, isAlone: boolean): void {
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
  if (!isUsed) return;
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
