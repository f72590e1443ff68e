// The check of a project folder: what newer versions, or a pull request, would break in it. Only names and versions of packages
// leave the machine, and those of a private registry go to that registry alone.
import { isDowngrade } from '../domain/upgrade/lockfiles/upgrades.ts';
import { type AnsweredUpgrade, LOWERED, unansweredRow, withCopies } from '../domain/upgrade/report/answer.ts';
import { orderRows } from '../domain/upgrade/report/groups.ts';
import type { ReportRow } from '../domain/upgrade/report/row.ts';
import { rowOf } from './answer.ts';
import { atOnce } from './at-once.ts';
import { comparePair, nothingSeen, type PairEvidence, storedPair } from './evidence/compare-pair.ts';
import { gatherPair, type NamedPair } from './evidence/gather.ts';
import { type Ignored, ignoredByFlag, readIgnored, withIgnored } from './ignored.ts';
import type { Environment } from './npmrc/settings.ts';
import { type FolderSource, openFolderSource } from './packages/open-source.ts';
import { type Listing, NotTold } from './packages/source.ts';
import { mayBeNamed, refusalByHost } from './private-names.ts';
import { type HostOf, packageHosts } from './project/package-hosts.ts';
import { lockedAt, type Project, readProject } from './project/read-project.ts';
import type { ProofOptions } from './prove/prove-rows.ts';
import { type Chosen, changedQuestions, installedQuestions, type Question, targetOf } from './questions.ts';

interface CheckOptions extends Chosen {
  env: Environment;
  signal: AbortSignal;
  isOffline: boolean;
  // Compiles the project with each new version, which may take minutes.
  isProved?: boolean;
  // A git ref: what changed since then is checked, instead of what newer versions would bring.
  base: string | null;
  // By the command line, as `name` or `name@version`.
  ignore: string;
  // Notes of a server for packages that everybody may know; null without one.
  notes: NotesServer | null;
  onStage?: (stage: CheckStage) => void;
}

export interface NotesServer {
  server: string;
  // In the order of the questions; null where the server tracks no such package.
  ask(items: readonly NotesQuestion[]): Promise<(AnsweredUpgrade | null)[]>;
}

interface NotesQuestion {
  package: string;
  ecosystem: 'npm' | 'pypi';
  from: string;
  to: string;
}

export interface CheckStage {
  name: 'project' | 'listings' | 'notes' | 'packages' | 'uses' | 'prove';
  done: number;
  total: number;
  // What is being done, or what came of it.
  detail: string;
}

export interface ProjectReport {
  project: string;
  lockfile: string;
  // The commit that was compared with; null when installed versions were compared with newer ones.
  base: { ref: string; commit: string } | null;
  to: 'latest' | 'wanted' | null;
  rows: ReportRow[];
  // How many dependencies were looked at, and how many of them have nothing newer.
  checked: number;
  current: number;
  // Packages that were compared, of those that could be.
  compared: { done: number; of: number };
  // Registries that could not be asked, each with one reason and how many packages.
  incomplete: { host: string; reason: string; packages: number }[];
  // What was not read, in words.
  leftOut: string[];
}

const LISTINGS_AT_ONCE = 12;
const PAIRS_AT_ONCE = 4;
const MOST_DOWNLOADED = 500_000_000;

interface Step {
  question: Question;
  from: string;
  to: string;
  listing: Listing;
}

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

class CheckRun {
  current = 0;
  readonly compared = { done: 0, of: 0 };
  readonly #project: Project;
  readonly #options: CheckOptions;
  readonly #opened: FolderSource;
  readonly #isChange: boolean;
  readonly #hostOf: HostOf;
  readonly #lockedNames: ReadonlySet<string>;
  readonly #asked = new Set<string>();
  readonly #missed: { host: string; reason: string }[] = [];
  readonly #stage: (stage: CheckStage) => void;

  constructor(project: Project, options: CheckOptions, opened: FolderSource, isChange: boolean) {
    this.#project = project;
    this.#options = options;
    this.#opened = opened;
    this.#isChange = isChange;
    this.#hostOf = packageHosts(project, options.env);
    this.#lockedNames = new Set(project.locked.packages.map(({ name }) => name));
    this.#stage = options.onStage ?? (() => {});
  }

  async rows(questions: readonly Question[]): Promise<ReportRow[]> {
    const answered = await this.#steps(questions);
    const steps = answered.flatMap((one) => ('listing' in one ? [one] : []));
    for (const { question, from, to } of steps) this.#asked.add(stepKey({ name: question.change.name, from, to }));
    const rows = answered.flatMap((one) => ('row' in one ? [one.row] : []));
    const notes = await this.#notes(steps);
    const evidence = await this.#evidence(steps);
    return [
      ...rows,
      ...steps.map((step, index) =>
        rowOf({ ...step, evidence: evidence[index] ?? null, notes: notes.get(step) ?? null }),
      ),
    ];
  }

  async proved(rows: readonly ReportRow[]): Promise<ReportRow[]> {
    const { withProofs } = await import('./prove/prove-rows.ts');
    return withProofs(rows, {
      folder: this.#project.folder,
      signal: this.#options.signal,
      pairOf: (row) => this.#archives(row),
      onStage: (done, total, detail) => this.#stage({ name: 'prove', done, total, detail }),
    });
  }

  // Of what was asked for: a package from elsewhere is not the one of its name in a registry.
  async #archives({ package: name, from, to }: ReportRow): ReturnType<ProofOptions['pairOf']> {
    const { source } = this.#opened;
    if (!this.#asked.has(stepKey({ name, from, to }))) return null;
    try {
      const { versions } = await source.listing({ ecosystem: 'npm', name });
      const [old, next] = [from, to].map((one) => versions.find(({ version }) => version === one));
      if (!old || !next) return null;
      return await gatherPair(source, { name, from: old, to: next, ...this.#naming(name) });
    } catch (error) {
      if (error instanceof NotTold) return null;
      throw error;
    }
  }

  // What a private package needs may be private too: only what the project has from everybody's registry is asked for there.
  #naming(name: string): Pick<NamedPair, 'isPublic' | 'mayName'> {
    const { settings } = this.#opened;
    const { isPublic } = settings.registryOf(name);
    const isKnown = (needed: string) => {
      const named = { ecosystem: 'npm', name: needed } as const;
      if (!mayBeNamed(settings, named)) return true;
      return this.#lockedNames.has(needed) && refusalByHost(settings, named, this.#hostOf(named)) === null;
    };
    return { isPublic, mayName: (needed) => isPublic || isKnown(needed) };
  }

  incomplete(): ProjectReport['incomplete'] {
    const byHost = Map.groupBy(this.#missed, ({ host }) => host);
    return [...byHost].map(([host, all]) => ({ host, reason: all[0]?.reason ?? '', packages: all.length }));
  }

  // The step of each question by the listing of its package, or the row of one that cannot be asked.
  async #steps(questions: readonly Question[]): Promise<(Step | { row: ReportRow } | { current: true })[]> {
    let found = 0;
    const total = questions.length;
    return atOnce(
      questions,
      LISTINGS_AT_ONCE,
      async (question) => {
        const { change } = question;
        const { ecosystem, name, from, to } = change;
        const isMove = from !== null && to !== null;
        if (!isMove || change.source !== 'registry') return { row: unansweredRow(change, '') };
        if (this.#isChange && isDowngrade(change)) return { row: unansweredRow(change, LOWERED) };
        const refusal = refusalByHost(this.#opened.settings, change, this.#hostOf(change));
        if (refusal) return this.#missing(question, refusal);
        try {
          const listing = await this.#opened.source.listing({ ecosystem, name });
          const target = this.#isChange ? to : targetOf(question, listing, this.#options);
          if (target === null) {
            this.current += 1;
            return { current: true as const };
          }
          found += 1;
          return { question, from, to: target, listing };
        } catch (error) {
          if (!(error instanceof NotTold)) throw error;
          return this.#missing(question, error);
        }
      },
      (done) => this.#stage({ name: 'listings', done, total, detail: `${found} have newer ones` }),
    );
  }

  // A registry that does not know a package was asked; one that hides private packages answers in the same way.
  #missing({ change, workspaces }: Question, error: NotTold): { row: ReportRow } {
    const isPublic = mayBeNamed(this.#opened.settings, change);
    const isAsked = error.isUnknown && isPublic && !change.name.startsWith('@');
    if (!isAsked && !this.#options.isOffline) this.#missed.push({ host: error.host, reason: error.message });
    const to = this.#isChange ? change.to : '?';
    return { row: { ...unansweredRow({ ...change, to }, error.message), workspaces } };
  }

  async #notes(steps: readonly Step[]): Promise<Map<Step, AnsweredUpgrade>> {
    const { notes, isOffline } = this.#options;
    if (notes === null || isOffline) return new Map();
    const open = steps.filter(({ question: { change } }) => mayBeNamed(this.#opened.settings, change));
    if (open.length === 0) return new Map();
    const asked = open.map(({ question: { change }, from, to }) => {
      return { package: change.name, ecosystem: change.ecosystem, from, to };
    });
    // Without the server the packages still tell what they show.
    const answers = await notes.ask(asked).catch((error: Error) => {
      this.#options.signal.throwIfAborted();
      this.#missed.push({ host: notes.server, reason: `no notes: ${error.message}` });
      return [];
    });
    this.#stage({ name: 'notes', done: open.length, total: open.length, detail: '' });
    return new Map(open.flatMap((step, index) => (answers[index] ? [[step, answers[index]] as const] : [])));
  }

  // Direct dependencies first, then the others by the size of their step, as far as the volume of downloads goes.
  async #evidence(steps: readonly Step[]): Promise<(PairEvidence | null)[]> {
    const order = [...steps.keys()].sort((a, b) => weight(steps[a]) - weight(steps[b]));
    const results: (PairEvidence | null)[] = [];
    this.compared.of = steps.filter(({ question }) => question.change.ecosystem === 'npm').length;
    await atOnce(
      order,
      PAIRS_AT_ONCE,
      async (at) => {
        results[at] = await this.#pair(steps[at] as Step);
      },
      (done, at) => {
        const { question, from, to } = steps[at] as Step;
        this.#stage({
          name: 'packages',
          done,
          total: order.length,
          detail: `${question.change.name} ${from} → ${to}`,
        });
      },
    );
    return results;
  }

  async #pair({ question: { change }, from, to, listing }: Step): Promise<PairEvidence | null> {
    const { source, cache } = this.#opened;
    const { signal, isIndirect, isOffline } = this.#options;
    if (change.ecosystem !== 'npm') return null;
    const [old, next] = [from, to].map((one) => listing.versions.find(({ version }) => version === one));
    if (!old || !next) return nothingSeen('not_available', `${old ? to : from} is not listed`);
    const pair = { name: change.name, from: old, to: next, ...this.#naming(change.name) };
    if (change.direct === false && !isIndirect && storedPair(cache, pair) === null) {
      return nothingSeen('not_ordered', 'indirect; --indirect compares it');
    }
    if (source.downloaded > MOST_DOWNLOADED && change.direct === false) {
      return nothingSeen('not_ordered', `${MOST_DOWNLOADED / 1_000_000} MB were downloaded for others`);
    }
    const evidence = await comparePair({ source, cache, signal }, pair);
    if (evidence.status === 'compared' || evidence.status === 'no_types') this.compared.done += 1;
    else if (evidence.failedHost && !isOffline) {
      this.#missed.push({ host: evidence.failedHost, reason: evidence.reason ?? '' });
    }
    return evidence;
  }
}

function stepKey({ name, from, to }: Record<'name' | 'from' | 'to', string | null>): string {
  return `${name}\n${from}\n${to}`;
}

function weight(step: Step | undefined): number {
  if (!step) return 9;
  const [from, to] = [step.from, step.to].map((version) => version.split('.'));
  const size = from?.[0] !== to?.[0] ? 0 : from?.[1] !== to?.[1] ? 1 : 2;
  return (step.question.change.direct === false ? 3 : 0) + size;
}
