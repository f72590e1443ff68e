// Whether a project uses what changed in its packages.

import type { EcosystemFacts } from '../../domain/ecosystems/facts.ts';
import { factsOfEcosystem } from '../../domain/ecosystems/index.ts';
import type { Finding } from '../../domain/evidence/finding.ts';
import { isBreak, isNeed, type ReportRow, type RowStep } from '../../domain/upgrade/report/row.ts';
import { withDoubt } from '../../domain/upgrade/report/unseen.ts';
import { readStep } from '../../domain/upgrade/steps/read-step.ts';
import type { Surroundings } from '../../domain/uses/floors.ts';
import { type FormSource, findForms } from '../../domain/uses/forms/find-forms.ts';
import { formsInNote } from '../../domain/uses/forms/forms-in-notes.ts';
import type { ProjectUses, SourceFile } from '../../domain/uses/project.ts';
import { pythonFindingUse } from '../../domain/uses/python-use.ts';
import { makeUse, type Use, worstUse } from '../../domain/uses/use.ts';
import { type CheckedName, pythonUseOf, useOf, wordOf } from '../../domain/uses/use-of.ts';
import type { CheckCache } from '../cache.ts';
import type { Environment } from '../npmrc/settings.ts';
import { type ProjectSources, projectSources } from '../sources.ts';
import { checkedNames } from './checked-names.ts';
import { KeptFiles } from './kept-files.ts';
import { readProjectUses } from './read-project.ts';

interface UsesOptions {
  env: Environment;
  // Installed versions by package name.
  installed: ReadonlyMap<string, readonly string[]>;
  // The Node that runs the check.
  runtime: NonNullable<Surroundings['runtime']>;
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
  if (asked.length === 0) return { rows: rows.map(nothingToLookFor), leftOut: [] };
  const { files, leftOut, gitFailure } = await projectSources(folder, options);
  const count = leftOut.reduce((sum, one) => sum + one.count, 0);
  const said = await usesOf({ root: folder, files, leftOut: count }, asked, options);
  return {
    rows: rows.map((row) => said.rows.get(row) ?? nothingToLookFor(row)),
    leftOut: [
      ...(gitFailure === null ? [] : [`what git knows of the files (${gitFailure}), so all of them were read`]),
      ...leftOut.map(({ reason, count }) => `${count} ${REASONS[reason]}`),
      ...said.leftOut,
    ],
  };
}

// A break without a name cannot be looked for.
function nothingToLookFor(row: ReportRow): ReportRow {
  return isBreak(row) ? withDoubt({ ...row, use: makeUse('not_used') }) : row;
}

interface ProjectFiles {
  root: string;
  files: readonly SourceFile[];
  leftOut: number;
}

async function usesOf(
  { root, files, leftOut }: ProjectFiles,
  asked: readonly ReportRow[],
  { installed, runtime, cache, signal, onFile }: UsesOptions,
): Promise<{ rows: ReadonlyMap<ReportRow, ReportRow>; leftOut: string[] }> {
  const kept = new KeptFiles(cache, root);
  const names = asked.filter((row) => languageOf(row) === 'javascript').map((row) => row.package);
  const words = asked.flatMap((row) => [...row.findings, ...namesIn(row)].map((one) => wordOf(one, row.package)));
  const reading = readProjectUses(files, { asked: names, words, leftOut, kept, signal, onFile });
  const { uses, index, withWords } = await reading;
  const answer = (checked?: ReadonlyMap<string, CheckedName>) =>
    asked.map((row) => rowWithUse(uses, row, { installed, runtime, ...(checked && { checked }) }));
  const bySyntax = await withWords(() => answer());
  kept.save();
  const wanted = bySyntax.map((row) => ({
    package: row.package,
    names: uses.installedNames(row.package),
    findings: uses.packages.has(row.package) ? row.findings.filter(isOpen) : [],
  }));
  onFile?.(files.length, files.length, 'types');
  const checked = await checkedNames({ root, files, wanted }, { cache, index, signal });
  const final = checked.names ? answer(checked.names) : bySyntax;
  const formed = final.map((row) => withForms(uses, row));
  return { rows: new Map(asked.map((row, index) => [row, formed[index] ?? row])), leftOut: checked.leftOut };
}

// Whether types may know better.
type Known = NonNullable<Parameters<typeof useOf>[3]>;
type UsedFinding = Finding & { use: Use };

function isOpen({ use }: { use?: Use }): boolean {
  return use?.use === 'unclear' || use?.use === 'not_used';
}

type Language = EcosystemFacts['language'];

const USE_READERS: Readonly<Record<Language, (uses: ProjectUses, packageName: string, name: string) => Use>> = {
  javascript: useOf,
  python: pythonUseOf,
};

const FINDING_READERS: Readonly<Record<Language, typeof useOf>> = {
  javascript: useOf,
  python: (uses, _, asked) => (typeof asked === 'string' ? makeUse('unclear') : pythonFindingUse(uses, asked)),
};

function languageOf({ ecosystem }: ReportRow): Language {
  return factsOfEcosystem(ecosystem).language;
}

function rowWithUse(uses: ProjectUses, row: ReportRow, known: Known): ReportRow {
  const findings = row.findings.map((finding) => ({
    ...finding,
    use: FINDING_READERS[languageOf(row)](uses, row.package, finding, known),
  }));
  const useOfName = (name: string) => USE_READERS[languageOf(row)](uses, row.package, name);
  const steps = row.steps.map((step) => withStepUse(step, findings, useOfName));
  const named = isToldByNotes(row) ? namesIn(row).map(useOfName) : [];
  const worst = worstUse([...findings.map((finding): Use => finding.use), ...named]);
  const told = findings.filter(({ use }) => use.use === worst?.use);
  const finding = told.find(({ text }) => row.reason.includes(text)) ?? told.find(isProven) ?? told[0];
  const use = finding?.use ?? worst;
  const reason = finding ? reasonAbout(finding, row) : row.reason;
  return withDoubt({ ...row, findings, steps, reason, ...(use && { use }) });
}

// A step of the package is one of its findings; one of the notes is known by the names that stand in it.
function withStepUse(step: RowStep, findings: readonly UsedFinding[], useOfName: (name: string) => Use): RowStep {
  const { floor } = readStep(step.text);
  const own = findings
    .filter(({ name, text }) => text === step.text || (floor !== null && name.endsWith(`.${floor.of}`)))
    .map(({ use }) => use);
  const uses = own.length > 0 ? own : namesOf(step).map(useOfName);
  const worst = worstUse(uses);
  return worst ? { ...step, use: worst.use } : step;
}

// What the notes say of forms of code is looked for as it is written, in a project that imports the package.
function withForms(uses: ProjectUses, row: ReportRow): ReportRow {
  if (!isBreak(row) || languageOf(row) !== 'javascript') return row;
  const names = [row.package, ...row.as].filter((name) => uses.packages.has(name));
  if (names.length === 0) return row;
  const isNear = ({ text }: SourceFile) =>
    names.some((name) => NAMED_IN.some((quote) => text.includes(`${quote}${name}`)));
  let sources: FormSource[] | null = null;
  const steps = row.steps.map((step) => {
    const wanted = step.from === 'notes' ? formsInNote(step.text) : [];
    if (wanted.length === 0) return step;
    sources ??= uses.sources.map((one) => ({ path: one.path, text: one.text, isNear: isNear(one) }));
    const forms = findForms(wanted, sources);
    return forms.length === 0 ? step : { ...step, forms };
  });
  const perhaps = row.use?.use === 'unclear' ? steps.flatMap(({ forms = [] }) => forms)[0]?.places[0] : undefined;
  return { ...row, steps, ...(row.use && perhaps && { use: { ...row.use, perhaps } }) };
}

const NAMED_IN = ["'", '"'];

// The reason names the finding that the places beside it belong to.
function reasonAbout({ text }: Finding, { reason, findings }: ReportRow): string {
  const named = findings.find((finding) => reason.includes(finding.text));
  return named && !reason.includes(text) ? reason.replace(named.text, () => text) : reason;
}

function isProven({ certainty }: Finding): boolean {
  return certainty === 'proven';
}

function isAsked(row: ReportRow): boolean {
  return row.findings.length > 0 || namesIn(row).length > 0 || hasForms(row);
}

function hasForms(row: ReportRow): boolean {
  return isBreak(row) && row.steps.some(({ from, text }) => from === 'notes' && formsInNote(text).length > 0);
}

// Nothing but the notes says what breaks in the code.
function isToldByNotes({ findings }: ReportRow): boolean {
  return findings.every(isNeed);
}

// Names in code marks of what breaks by the notes.
function namesIn({ judgement, steps }: ReportRow): string[] {
  if (judgement !== 'breaks' && judgement !== 'may_break') return [];
  return [...new Set(steps.flatMap(namesOf))].slice(0, MAX_NAMES);
}

function namesOf({ from, text }: RowStep): string[] {
  if (from === 'package') return [];
  // What takes the place of a name is no break.
  const { names, removed } = readStep(text);
  if (names !== null) return [names.from];
  return removed.length > 0 ? [...removed] : [...text.matchAll(/`([^`\n]{1,100})`/g)].map(([, name = '']) => name);
}
