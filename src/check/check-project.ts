// The check of a project folder: what newer versions, or a pull request, would break in it. Only names and versions of packages
// leave the machine, and those of a private registry go to that registry alone.
import { withCopies } from '../domain/upgrade/report/answer.ts';
import { orderRows } from '../domain/upgrade/report/groups.ts';
import type { ReportRow } from '../domain/upgrade/report/row.ts';
import { CheckRun } from './check-run.ts';
import { type Ignored, ignoredByFlag, readIgnored, withIgnored } from './ignored.ts';
import { openFolderSource } from './packages/open-source.ts';
import { lockedAt, type Project, readProject } from './project/read-project.ts';
import { changedQuestions, installedQuestions } from './questions.ts';
import type { CheckOptions, ProjectReport } from './report.ts';

export async function checkProject(folder: string, options: CheckOptions): Promise<ProjectReport> {
  const stage = options.onStage ?? (() => {});
  const project = readProject(folder);
  const ignored = [...readIgnored(project.folder), ...ignoredByFlag(options.ignore)];
  const since = options.base === null ? null : await lockedAt(project, options.base);
  const questions = since ? changedQuestions(since.locked, project.locked) : installedQuestions(project, options);
  stage({ name: 'project', done: questions.length, total: questions.length, detail: project.file });
  const opened = openFolderSource({ ...options, folder: project.folder });
  const run = new CheckRun(project, options, opened, since !== null);
  const answered = await run.rows(questions);
  const { withUses } = await import('./uses/with-uses.ts');
  const { rows: used, leftOut } = await withUses(project.folder, answered, {
    installed: installedVersions(project),
    cache: opened.cache,
    signal: options.signal,
    onFile: (done, total, detail) => stage({ name: 'uses', done, total, detail }),
  });
  const rows = options.isProved ? await run.proved(used) : used;
  return {
    project: project.name,
    lockfile: project.file,
    base: since === null || options.base === null ? null : { ref: options.base, commit: since.commit },
    to: since ? null : options.to,
    rows: finished(rows, ignored),
    checked: questions.length,
    current: run.current,
    compared: run.compared,
    incomplete: run.incomplete(),
    leftOut: [...(project.locked.truncated ? ['the lockfile names more packages than are read'] : []), ...leftOut],
  };
}

// The versions that are installed of each package; of one that the project itself names, those that it names.
function installedVersions({ locked }: Project): ReadonlyMap<string, readonly string[]> {
  const byName = Map.groupBy(
    locked.packages.filter(({ ecosystem }) => ecosystem === 'npm'),
    ({ name }) => name,
  );
  return new Map(
    [...byName].map(([name, copies]) => {
      const direct = copies.filter((copy) => copy.direct);
      return [name, (direct.length > 0 ? direct : copies).map(({ version }) => version)];
    }),
  );
}

function finished(rows: readonly ReportRow[], ignored: readonly Ignored[]): ReportRow[] {
  const today = new Date().toISOString().slice(0, 10);
  return orderRows(withCopies(rows).map((row) => withIgnored(row, ignored, today)));
}
