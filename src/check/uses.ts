// Whether a project uses what changed in its packages.
import type { ReportRow } from '../domain/upgrade/report/row.ts';
import { readUses, type SourceFile } from '../domain/uses/project.ts';
import { type Use, worstUse } from '../domain/uses/use.ts';
import { type CheckedName, pythonUseOf, useOf } from '../domain/uses/use-of.ts';
import type { WantedNames } from './prove/checked-names.ts';
import { namesOnThread } from './prove/checker.ts';
import { type ProjectSources, projectSources } from './sources.ts';

interface UsesOptions {
  // Installed versions by package name.
  installed: ReadonlyMap<string, readonly string[]>;
  signal?: AbortSignal;
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

const MOST_NAMES = 50;

// Every row with findings, and with how the project uses them.
export async function withUses(
  folder: string,
  rows: readonly ReportRow[],
  { installed, signal }: UsesOptions,
): Promise<RowsWithUses> {
  if (!rows.some(isAsked)) return { rows: [...rows], leftOut: [] };
  const { files, leftOut } = await projectSources(folder, signal);
  const uses = readUses(files, { leftOut: leftOut.reduce((sum, { count }) => sum + count, 0) });
  const wanted = rows.filter(isAsked).map((row) => ({ package: row.package, findings: row.findings }));
  const imported = wanted.filter(({ package: name }) => uses.packages.has(name));
  const checked = await checkedNames(folder, files, imported, signal);
  return {
    rows: rows.map((row) => {
      if (!isAsked(row)) return row;
      const known = { installed, ...(checked && { checked }) };
      const findings = row.findings.map((finding) => ({ ...finding, use: useOf(uses, row.package, finding, known) }));
      const named = namesIn(row).map((name) =>
        row.ecosystem === 'npm' ? useOf(uses, row.package, name) : pythonUseOf(uses, row.package, name),
      );
      const use = worstUse([...findings.map((finding): Use => finding.use), ...named]);
      return use ? { ...row, findings, use } : row;
    }),
    leftOut: leftOut.map(({ reason, count }) => `${count} ${REASONS[reason]}`),
  };
}

function isAsked(row: ReportRow): boolean {
  return row.findings.length > 0 || namesIn(row).length > 0;
}

// Names in code marks of what breaks by the notes, where the package itself shows nothing.
function namesIn({ findings, judgement, steps }: ReportRow): string[] {
  if (findings.length > 0 || (judgement !== 'breaks' && judgement !== 'may_break')) return [];
  const told = steps.filter(({ from }) => from === 'notes');
  const names = told.flatMap(({ text }) => [...text.matchAll(/`([^`\n]{1,100})`/g)].map(([, name = '']) => name));
  return [...new Set(names)].slice(0, MOST_NAMES);
}

// Members of values are known where types are.
async function checkedNames(
  root: string,
  files: readonly SourceFile[],
  wanted: readonly WantedNames[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, CheckedName> | null> {
  if (wanted.length === 0 || !files.some(({ path }) => /\.[cm]?tsx?$/.test(path))) return null;
  return namesOnThread({ root, files, wanted }, signal);
}
