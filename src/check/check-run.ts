// One check from its questions to the rows of its report: listings, notes, packages side by side, proofs.
import { factsOfEcosystem, type PackageName, PUBLIC_PACKAGE_HOSTS } from '../domain/ecosystems/index.ts';
import { elementAt } from '../domain/records.ts';
import { couldBeTag, distTagWords } from '../domain/upgrade/dist-tags.ts';
import type { PackageChange } from '../domain/upgrade/lockfiles/changed-packages.ts';
import { isDowngrade, type ProjectUpgrades } from '../domain/upgrade/lockfiles/upgrades.ts';
import { type AnsweredUpgrade, LOWERED, unansweredRow } from '../domain/upgrade/report/answer.ts';
import type { ReportRow } from '../domain/upgrade/report/row.ts';
import { rowOf } from './answer.ts';
import type { PairEvidence } from './evidence/compare-pair.ts';
import { compareSteps } from './evidence/compare-steps.ts';
import { gatherPair, type NamedPair, TooLarge } from './evidence/gather.ts';
import { ProjectFault } from './local-file.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { openCodeHosts } from './notes/code-host.ts';
import { gatherNotes, type StepNotes } from './notes/gather-notes.ts';
import type { NpmSettings } from './npmrc/settings.ts';
import type { FolderSource } from './packages/open-source.ts';
import { type Listing, NotTold } from './packages/source.ts';
import { type HostOf, packageHosts } from './project/package-hosts.ts';
import type { Project } from './project/read-project.ts';
import type { ProofOptions } from './prove/prove-rows.ts';
import { type Question, type Step, targetOf } from './questions.ts';
import type { CheckOptions, CheckStage, ProjectReport } from './report.ts';
import { sharedPackages } from './shared-packages.ts';

// A step, the row of a question that is not asked further, or a package that has nothing newer.
type Answered = Step | { row: ReportRow } | { current: true };

const LISTINGS_AT_ONCE = 12;
const NOT_AVAILABLE = { refused: 'the published packages are not available' };

export class CheckRun {
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
    this.#options.onPackages?.(this.#shared(questions, answered));
    const rows = answered.flatMap((one) => ('row' in one ? [one.row] : []));
    const answers = await this.#answers(steps);
    const evidence = await this.#evidence(steps);
    const read = await this.#notes(steps, evidence, answers);
    return [
      ...rows,
      ...steps.map((step, index) => {
        const { notes, told } = elementAt(read, index);
        return rowOf({ ...step, evidence: evidence[index] ?? null, answer: answers.get(step) ?? null, notes, told });
      }),
    ];
  }

  // What was found in a public registry may be told to others.
  #shared(questions: readonly Question[], answered: readonly Answered[]): ProjectUpgrades {
    const { to, only } = this.#options;
    const asked = questions.map((question, index) => {
      const one = elementAt(answered, index);
      const isListed = !('row' in one) && mayBeNamed(this.#opened.settings, question.change);
      return { question, isListed, to: 'listing' in one ? one.to : null };
    });
    return sharedPackages(asked, {
      isChange: this.#isChange,
      isLatest: !this.#isChange && to === 'latest' && (only?.version ?? null) === null,
    });
  }

  async proved(rows: readonly ReportRow[]): Promise<ReportRow[]> {
    const { withProofs } = await import('./prove/prove-rows.ts');
    return withProofs(rows, {
      folder: this.#project.folder,
      env: this.#options.env,
      signal: this.#options.signal,
      pairOf: (row) => this.#archives(row),
      onStage: (done, total, detail) => this.#stage({ name: 'prove', done, total, detail }),
    });
  }

  // Of what was asked for: a package from elsewhere is not the one of its name in a registry.
  async #archives({ ecosystem, package: name, from, to }: ReportRow): ReturnType<ProofOptions['pairOf']> {
    const { source } = this.#opened;
    if (!this.#asked.has(stepKey({ name, from, to }))) return NOT_AVAILABLE;
    try {
      const { versions } = await source.listing({ ecosystem, name });
      const [old, next] = [from, to].map((one) => versions.find(({ version }) => version === one));
      if (!old || !next) return NOT_AVAILABLE;
      return await gatherPair(source, { ecosystem, name, from: old, to: next, ...this.#naming({ ecosystem, name }) });
    } catch (error) {
      if (error instanceof TooLarge) return { refused: 'too large to compare' };
      if (error instanceof NotTold) return NOT_AVAILABLE;
      throw error;
    }
  }

  // What a private package needs may be private too: only what the project has from everybody's registry is asked for there.
  #naming({ ecosystem, name }: PackageName): Pick<NamedPair, 'isPublic' | 'mayName'> {
    const { settings } = this.#opened;
    const isPublic = mayBeNamed(settings, { ecosystem, name });
    const isKnown = (needed: string) => {
      const named = { ecosystem, name: needed };
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
  async #steps(questions: readonly Question[]): Promise<Answered[]> {
    let found = 0;
    const total = questions.length;
    return mapConcurrently(
      questions,
      LISTINGS_AT_ONCE,
      async (question): Promise<Answered> => {
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
          const asked = this.#options.only?.version ?? null;
          if (target === null && asked !== null) throw noSuchVersion(name, asked, listing);
          if (target === null) {
            this.current += 1;
            return { current: true };
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

  // What a server knows of the steps.
  async #answers(steps: readonly Step[]): Promise<Map<Step, AnsweredUpgrade>> {
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
    return new Map(open.flatMap((step, index) => (answers[index] ? [[step, answers[index]] as const] : [])));
  }

  #notes(
    steps: readonly Step[],
    evidence: readonly (PairEvidence | null)[],
    answers: ReadonlyMap<Step, AnsweredUpgrade>,
  ): Promise<StepNotes[]> {
    const { settings } = this.#opened;
    const { notesFrom: from = 'repository', signal } = this.#options;
    return gatherNotes(steps, evidence, {
      hosts: from === 'repository' ? openCodeHosts({ ...this.#opened, ...this.#options }) : null,
      from,
      isPublic: ({ question: { change } }) => mayBeNamed(settings, change),
      server: (step) => answers.has(step),
      signal,
      onRead: (done, total) => this.#stage({ name: 'notes', done, total, detail: '' }),
    });
  }

  async #evidence(steps: readonly Step[]): Promise<(PairEvidence | null)[]> {
    const results = await compareSteps(steps, {
      opened: this.#opened,
      options: this.#options,
      namingOf: (named) => this.#naming(named),
      stage: this.#stage,
    });
    const seen = results.filter((one) => one !== null);
    this.compared.of = seen.length;
    this.compared.done = seen.filter(({ status }) => status === 'compared' || status === 'no_types').length;
    for (const { failedHost, reason } of seen) {
      if (failedHost && !this.#options.isOffline) this.#missed.push({ host: failedHost, reason: reason ?? '' });
    }
    return results;
  }
}

function noSuchVersion(name: string, version: string, { latest, tags, versions }: Listing): ProjectFault {
  const words = couldBeTag(version) ? distTagWords(tags) : '';
  if (words !== '') return new ProjectFault(`${name} has no version or tag ${version}; its tags are ${words}`);
  const newest = latest ?? versions.at(-1)?.version ?? null;
  return new ProjectFault(`${name} has no version ${version}${newest === null ? '' : `; its latest is ${newest}`}`);
}

function stepKey({ name, from, to }: Record<'name' | 'from' | 'to', string | null>): string {
  return `${name}\n${from}\n${to}`;
}

// Which packages may be named to whom. What comes from a registry that is not the public one is private until told otherwise.

// Whether others than its own registry may hear the name.
function mayBeNamed(settings: NpmSettings, { ecosystem, name }: Pick<PackageChange, 'ecosystem' | 'name'>): boolean {
  return factsOfEcosystem(ecosystem).settingsFile === null || settings.registryOf(name).isPublic;
}

// A package that the project has from elsewhere is not asked for at the public registry: `.npmrc` does not say where it
// comes from, and its name may be nobody else's business.
export function refusalByHost(
  settings: NpmSettings,
  change: Pick<PackageChange, 'ecosystem' | 'name'>,
  host: string | undefined,
): NotTold | null {
  if (host === undefined || PUBLIC_PACKAGE_HOSTS.has(host) || !mayBeNamed(settings, change)) return null;
  const { settingsFile } = factsOfEcosystem(change.ecosystem);
  if (settingsFile !== null && URL.parse(settings.registryOf(change.name).url)?.host === host) return null;
  const where = settingsFile === null ? 'only the public index is asked' : `no ${settingsFile} names it`;
  return new NotTold(`the project has it from ${host}, and ${where}`, host);
}
