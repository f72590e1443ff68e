// The check of a project folder: what newer versions, or a pull request, would break in it. Only names and versions of packages
// leave the machine, and those of a private registry go to that registry alone.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { factsOfEcosystem } from '../domain/ecosystems/index.ts';
import { normalizePackageName } from '../domain/published-package.ts';
import { withCopies } from '../domain/upgrade/report/answer.ts';
import { orderRows } from '../domain/upgrade/report/groups.ts';
import type { ReportRow } from '../domain/upgrade/report/row.ts';
import { createNameIndex } from '../domain/upgrade/suggest.ts';
import { advisedReport, adviseProject } from './advisories/advise.ts';
import { CheckRun } from './check-run.ts';
import { type Ignored, ignoredByFlag, readIgnored, withIgnored } from './ignored.ts';
import { ProjectFault } from './local-file.ts';
import type { Environment } from './npmrc/settings.ts';
import { openFolderSource } from './packages/open-source.ts';
import { billGaps, readBillProject } from './project/read-bill.ts';
import { lockedAt, type Project, readProject } from './project/read-project.ts';
import { unversionedPython } from './project/unversioned.ts';
import { changedQuestions, installedQuestions } from './questions.ts';
import { type CheckOptions, dependencies, type ProjectReport } from './report.ts';

export async function checkProject(folder: string, options: CheckOptions): Promise<ProjectReport> {
  const stage = options.onStage ?? (() => {});
  const { bill } = options;
  const project = bill === undefined ? readProject(folder) : readBillProject(bill, folder);
  const ignored = [...readIgnored(project.folder), ...ignoredByFlag(options.ignore)];
  const since = options.base === null ? null : await lockedAt(project, options.base, options);
  const { questions, notLookedAt, only } = since
    ? { ...NOTHING_LEFT, questions: changedQuestions(since.locked, project.locked) }
    : installedQuestions(project, options);
  if (options.only && questions.length === 0) throw notHere(project, options.only.name);
  stage({ name: 'project', done: questions.length, total: questions.length, detail: project.file });
  const opened = openFolderSource({ ...options, folder: project.folder });
  const run = new CheckRun(project, options, opened, since !== null);
  const advised = await adviseProject(project, options);
  const answered = await run.rows(questions);
  // What repairs is a step like any other, to the version that clears.
  const repairs = new CheckRun(project, { ...options, only: null }, opened, true);
  const repaired = advised ? await repairs.rows(advised.questions) : [];
  const { withUses } = await import('./uses/with-uses.ts');
  const { rows: used, leftOut } = await withUses(project.folder, [...answered, ...repaired], {
    installed: installedVersions(project),
    runtime: { version: process.versions.node, isJob: isJob(options.env) },
    cache: opened.cache,
    env: options.env,
    signal: options.signal,
    onFile: (done, total, detail) => stage({ name: 'uses', done, total, detail }),
  });
  const own = used.slice(0, answered.length);
  const rows = options.isProved ? await run.proved(own) : own;
  return {
    project: project.name,
    lockfile: project.file,
    base: since === null || options.base === null ? null : { ref: options.base, commit: since.commit },
    to: since ? null : options.to,
    rows: finished(rows.map(namedIn(project)), ignored),
    checked: questions.length,
    current: run.current,
    notLookedAt,
    only,
    compared: run.compared,
    incomplete: byHost([run.incomplete(), repairs.incomplete(), advised?.incomplete ?? []].flat()),
    leftOut: [...lockfileGaps(project), ...billGaps(project), ...(since ? [] : unversionedWords(project)), ...leftOut],
    advisories: advised && advisedReport(advised, used.slice(answered.length)),
  };
}

// One line a host, with as many packages as one part of the check missed there.
function byHost(all: ProjectReport['incomplete']): ProjectReport['incomplete'] {
  return [...Map.groupBy(all, ({ host }) => host).values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, packages: Math.max(first.packages, ...more.map(({ packages }) => packages)) }] : [],
  );
}

// What changed is looked at whole.
const NOTHING_LEFT = { notLookedAt: { dev: 0, optional: 0, indirect: 0 }, only: null };

function lockfileGaps({ locked, installed }: Project): string[] {
  return [
    ...(locked.truncated ? ['the lockfile names more packages than are read'] : []),
    ...(installed && installed.assumed > 0 ? [assumedWords(installed.assumed)] : []),
    ...(installed && installed.unread > 0 ? [`no version is known of ${dependencies(installed.unread, null)}`] : []),
  ];
}

function assumedWords(count: number): string {
  const all = `${dependencies(count, null)} ${count === 1 ? 'is' : 'are'} not installed`;
  return `there is no lockfile, and ${all}: taken in the lowest version that package.json allows`;
}

function unversionedWords(project: Project): string[] {
  const { length } = unversionedPython(project);
  if (length === 0) return [];
  const named = `${length} Python ${length === 1 ? 'dependency, whose installed version' : 'dependencies, whose installed versions'}`;
  return [`${named} no lockfile or pin tells; \`uv lock\` or \`pip freeze > requirements.txt\` writes them down`];
}

function notHere(project: Project, name: string): ProjectFault {
  const { file, folder, locked } = project;
  if (/^[./~\\]|[\\/]$/.test(name) || existsSync(resolve(name))) {
    return new ProjectFault(
      `${name} is no package of this project; to check a folder: registry check --folder ${name}`,
    );
  }
  if (unversionedPython(project).includes(normalizePackageName('pypi', name))) {
    return new ProjectFault(`no lockfile or pin tells which version of ${name} is installed`);
  }
  const names = [...new Set(locked.packages.map((one) => one.name))];
  const index = createNameIndex(names.map((one) => ({ id: one, slug: one, name: one, packages: [], releases: 0 })));
  const near = index.closest(name, { most: 2 }).map(({ slug }) => slug);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'all that it names: registry check --indirect';
  return new ProjectFault(`${name} is not in ${file} of ${folder}; ${hint}`);
}

// Every CI says so in the environment.
function isJob({ CI = '' }: Environment): boolean {
  return CI !== '' && CI !== 'false' && CI !== '0';
}

// The versions that are installed of each package; of one that the project itself names, those that it names.
function installedVersions({ locked }: Project): ReadonlyMap<string, readonly string[]> {
  const byName = Map.groupBy(
    locked.packages.filter(({ ecosystem }) => factsOfEcosystem(ecosystem).language === 'javascript'),
    ({ name }) => name,
  );
  return new Map(
    [...byName].map(([name, copies]) => {
      const direct = copies.filter((copy) => copy.direct);
      return [name, (direct.length > 0 ? direct : copies).map(({ version }) => version)];
    }),
  );
}

// With the line of the manifest that names the package.
function namedIn({ manifests }: Project): (row: ReportRow) => ReportRow {
  const lines = manifests.map(({ path, text }) => ({ path, lines: text.split('\n') }));
  return (row) => {
    const words = [row.package, ...row.as].map((name) => `"${name}"`);
    const folders = row.workspaces.length > 0 ? row.workspaces : [''];
    for (const { path, lines: all } of lines) {
      if (!folders.includes(path.replace(/\/?[^/]*$/, ''))) continue;
      const at = all.findIndex((line) => words.some((word) => line.includes(`${word}:`)));
      if (at >= 0) return { ...row, namedAt: { file: path, line: at + 1 } };
    }
    return row;
  };
}

function finished(rows: readonly ReportRow[], ignored: readonly Ignored[]): ReportRow[] {
  const today = new Date().toISOString().slice(0, 10);
  return orderRows(withCopies(rows).map((row) => withIgnored(row, ignored, today)));
}
