// Whether a project uses what changed in its packages.
import type { Finding } from '../../domain/evidence/finding.ts';
import type { ReportRow } from '../../domain/upgrade/report/row.ts';
import type { ProjectUses, SourceFile } from '../../domain/uses/project.ts';
import { type Use, worstUse } from '../../domain/uses/use.ts';
import { type CheckedName, pythonUseOf, useOf, wordOf } from '../../domain/uses/use-of.ts';
import type { CheckCache } from '../cache.ts';
import { type ProjectSources, projectSources } from '../sources.ts';
import { checkedNames } from './checked-names.ts';
import { KeptFiles } from './kept-files.ts';
import { readProjectUses } from './read-project.ts';

interface UsesOptions {
  // Installed versions by package name.
  installed: ReadonlyMap<string, readonly string[]>;
  cache: CheckCache;
  signal?: AbortSignal;
  onFile?: (done: number, total: number, file: string) => void;
}

interface RowsWithUses {
  rows: ReportRow[];
  // What was not read, in words.
  leftOut: string[];
}

const REASONS: Record<ProjectSources['leftOut'][number]['reason'], string> = {
  too_many_files: 'source files beyond the first 20,000 were not read',
  too_many_bytes: 'source files beyond 200 MB were not read',
  too_large: 'source files above 2 MB were not read',
  not_readable: 'source files could not be read',
};

const MAX_NAMES = 50;

// Every row with findings, and with how the project uses them.
export async function withUses(
  folder: string,
  rows: readonly ReportRow[],
  options: UsesOptions,
): Promise<RowsWithUses> {
  const asked = rows.filter(isAsked);
  if (asked.length === 0) return { rows: [...rows], leftOut: [] };
  const { files, leftOut } = await projectSources(folder, options.signal);
  const count = leftOut.reduce((sum, one) => sum + one.count, 0);
  const said = await usesOf({ root: folder, files, leftOut: count }, asked, options);
  return {
    rows: rows.map((row) => said.get(row) ?? row),
    leftOut: leftOut.map(({ reason, count }) => `${count} ${REASONS[reason]}`),
  };
}

interface ProjectFiles {
  root: string;
  files: readonly SourceFile[];
  leftOut: number;
}

async function usesOf(
  { root, files, leftOut }: ProjectFiles,
  asked: readonly ReportRow[],
  { installed, cache, signal, onFile }: UsesOptions,
): Promise<ReadonlyMap<ReportRow, ReportRow>> {
  const kept = new KeptFiles(cache, root);
  const names = asked.filter(({ ecosystem }) => ecosystem === 'npm').map((row) => row.package);
  const words = asked.flatMap((row) => [...row.findings, ...namesIn(row)].map((one) => wordOf(one, row.package)));
  const reading = readProjectUses(files, { asked: names, words, leftOut, kept, signal, onFile });
  const { uses, index, withWords } = await reading;
  const answer = (checked?: ReadonlyMap<string, CheckedName>) =>
    asked.map((row) => rowWithUse(uses, row, { installed, ...(checked && { checked }) }));
  const bySyntax = await withWords(() => answer());
  kept.save();
  const wanted = bySyntax.map((row) => ({
    package: row.package,
    names: uses.installedNames(row.package),
    findings: uses.packages.has(row.package) ? row.findings.filter(isOpen) : [],
  }));
  onFile?.(files.length, files.length, 'types');
  const checked = await checkedNames({ root, files, wanted }, { cache, index, signal });
  const final = checked ? answer(checked) : bySyntax;
  return new Map(asked.map((row, index) => [row, final[index] ?? row]));
}

// Whether types may know better.
function isOpen({ use }: { use?: Use }): boolean {
  return use?.use === 'unclear' || use?.use === 'not_used';
}

type RowWithUse = ReportRow & { findings: readonly (ReportRow['findings'][number] & { use: Use })[] };

function rowWithUse(uses: ProjectUses, row: ReportRow, known: Parameters<typeof useOf>[3]): RowWithUse {
  const findings = row.findings.map((finding) => ({ ...finding, use: useOf(uses, row.package, finding, known) }));
  const named = namesIn(row).map((name) =>
    row.ecosystem === 'npm' ? useOf(uses, row.package, name) : pythonUseOf(uses, row.package, name),
  );
  const worst = worstUse([...findings.map((finding): Use => finding.use), ...named]);
  const told = findings.filter(({ use }) => use.use === worst?.use);
  const finding = told.find(({ text }) => row.reason.includes(text)) ?? told.find(isProven) ?? told[0];
  const use = finding?.use ?? worst;
  return { ...row, findings, ...(finding && { reason: reasonAbout(finding, row) }), ...(use && { use }) };
}

// The reason names the finding that the places beside it belong to.
function reasonAbout({ text }: Finding, { reason, findings }: ReportRow): string {
  const named = findings.find((finding) => reason.includes(finding.text));
  return named && !reason.includes(text) ? reason.replace(named.text, () => text) : reason;
}

function isProven({ certainty }: Finding): boolean {
  return certainty === 'proven';
}

function isAsked(row: ReportRow): boolean {
  return row.findings.length > 0 || namesIn(row).length > 0;
}

// Names in code marks of what breaks by the notes, where the package itself shows nothing.
function namesIn({ findings, judgement, steps }: ReportRow): string[] {
  if (findings.length > 0 || (judgement !== 'breaks' && judgement !== 'may_break')) return [];
  const told = steps.filter(({ from }) => from === 'notes');
  const names = told.flatMap(({ text }) => [...text.matchAll(/`([^`\n]{1,100})`/g)].map(([, name = '']) => name));
  return [...new Set(names)].slice(0, MAX_NAMES);
}
