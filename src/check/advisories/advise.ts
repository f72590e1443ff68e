// Which installed versions of a project advisories cover, and what repairs them.
import type { AdvisedCooldown, AdvisedPackage } from '../../domain/advisories/advised-package.ts';
import { findClearingVersion } from '../../domain/advisories/clearing-version.ts';
import type { Cooldown } from '../../domain/advisories/cooldown.ts';
import { namedProblems } from '../../domain/advisories/named-problems.ts';
import type { Advisory } from '../../domain/advisories/osv-record.ts';
import { normalizePackageName, packageKey } from '../../domain/ecosystems/index.ts';
import type { PackageChange } from '../../domain/upgrade/lockfiles/changed-packages.ts';
import type { LockedPackage } from '../../domain/upgrade/lockfiles/types.ts';
import type { ReportRow } from '../../domain/upgrade/report/row.ts';
import { refusalByHost } from '../check-run.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { openFolderSource } from '../packages/open-source.ts';
import { type Listing, NotTold } from '../packages/source.ts';
import { packageHosts } from '../project/package-hosts.ts';
import type { Project } from '../project/read-project.ts';
import { isUnversioned } from '../project/unversioned.ts';
import type { Question } from '../questions.ts';
import type { AdvisoryReport, CheckOptions, ProjectReport } from '../report.ts';
import { type ProjectCooldowns, readProjectCooldowns } from './project-cooldowns.ts';
import { readAdvisories } from './read-advisories.ts';

const LISTINGS_AT_ONCE = 12;

type Advised = Omit<AdvisedPackage, 'step'>;

interface AdvisedProject {
  report: Omit<AdvisoryReport, 'packages'>;
  packages: readonly Advised[];
  // The steps to the smallest versions that are clear.
  questions: readonly Question[];
  // Registries that could not be asked which versions there are.
  incomplete: ProjectReport['incomplete'];
}

// Null where no advisories were given.
export async function adviseProject(project: Project, options: CheckOptions): Promise<AdvisedProject | null> {
  const { advisories: path, signal, onStage } = options;
  if (path === undefined || path === null) return null;
  const installed = installedCopies(project, options);
  const given = await readAdvisories(path, {
    wanted: new Set(installed.map(keyOf)),
    signal,
    onRead: (count) => onStage?.({ name: 'advisories', done: count, total: count + 1, detail: '' }),
  });
  const named = installed.flatMap((one) => {
    const known = given.byPackage.get(keyOf(one));
    return known ? [{ one, known }] : [];
  });
  const cooldowns = readProjectCooldowns(project.folder, project.locked.format, options.env);
  const missed: NotTold[] = [];
  const listingOf = listings(project, options, missed);
  const answers = await mapConcurrently(named, LISTINGS_AT_ONCE, ({ one, known }) =>
    advise(one, known, { cooldowns, listingOf, now: options.now ?? new Date() }),
  );
  const packages = answers.filter((one) => one !== null);
  const total = given.records;
  onStage?.({ name: 'advisories', done: total, total, detail: `${packages.length} installed versions` });
  return {
    report: { from: path, records: total, unreadable: given.unreadable, looked: installed.length },
    packages,
    questions: packages.flatMap((one) => stepOf(one)),
    incomplete: missed.map(({ host, message }) => ({ host, reason: message, packages: 1 })),
  };
}

// With the steps as they were judged.
export function advisedReport({ report, packages }: AdvisedProject, rows: readonly ReportRow[]): AdvisoryReport {
  const key = (name: string, version: string | null, ecosystem: string) => `${ecosystem} ${name} ${version}`;
  const steps = new Map(rows.map((row) => [key(row.package, row.from, row.ecosystem), row]));
  return {
    ...report,
    packages: packages.map((one) => ({ ...one, step: steps.get(key(one.name, one.version, one.ecosystem)) ?? null })),
  };
}

function keyOf({ ecosystem, name }: LockedPackage): string {
  return packageKey({ ecosystem, name: normalizePackageName(ecosystem, name) });
}

// Each version once, also those that only other packages need; a direct one before the others.
function installedCopies({ locked }: Project, { only }: CheckOptions): LockedPackage[] {
  const byVersion = new Map<string, LockedPackage>();
  for (const one of locked.packages) {
    if (one.source !== 'registry' || isUnversioned(locked, one)) continue;
    if (only && keyOf(one) !== keyOf({ ...one, name: only.name })) continue;
    const key = `${keyOf(one)}\n${one.version}`;
    if (one.direct === true || !byVersion.has(key)) byVersion.set(key, one);
  }
  return [...byVersion.values()];
}

type ListingOf = (one: LockedPackage) => Promise<Listing | { unlisted: string }>;

// A package from elsewhere is not asked for in the public registry.
function listings(project: Project, options: CheckOptions, missed: NotTold[]): ListingOf {
  const { source, settings } = openFolderSource({ ...options, folder: project.folder, isDated: true });
  const hostOf = packageHosts(project, options.env);
  return async (one) => {
    try {
      const refusal = refusalByHost(settings, one, hostOf(one));
      if (refusal) throw refusal;
      return await source.listing(one);
    } catch (error) {
      if (!(error instanceof NotTold)) throw error;
      if (!error.isUnknown && !options.isOffline) missed.push(error);
      return { unlisted: error.message };
    }
  };
}

interface Surroundings {
  cooldowns: ProjectCooldowns;
  listingOf: ListingOf;
  now: Date;
}

// Null for a version that none of them covers.
async function advise(
  one: LockedPackage,
  advisories: readonly Advisory[],
  { cooldowns, listingOf, now }: Surroundings,
): Promise<Advised | null> {
  const { ecosystem, version: installed } = one;
  const name = normalizePackageName(ecosystem, one.name);
  const rules = { installer: cooldowns.installer({ ecosystem, name }), bot: cooldowns.bot({ ecosystem, name }) };
  const ask = (published: readonly { version: string; publishedAt: string | null; isWithdrawn: boolean }[]) => {
    const cooldown = waitOf(rules.installer, one.name);
    return findClearingVersion({ ecosystem, name, installed, advisories, published, cooldown, now });
  };
  const covered = ask([]);
  if (covered.affectedBy.length + covered.unreadable.length === 0) return null;
  const listing = covered.affectedBy.length === 0 ? { unlisted: '' } : await listingOf(one);
  const published =
    'unlisted' in listing
      ? []
      : listing.versions.map(({ version, publishedAt, withdrawn }) => ({
          version,
          publishedAt,
          isWithdrawn: withdrawn,
        }));
  const found = ask(published);
  const timeOf = published.find(({ version }) => version === found.smallest)?.publishedAt ?? null;
  return {
    ecosystem,
    name: one.name,
    version: installed,
    direct: one.direct,
    problems: namedProblems(found.affectedBy),
    undecided: found.unreadable.map(({ id }) => id),
    smallest: found.smallest,
    smallestInLine: found.smallestInLine,
    smallestOutOfCooldown: found.smallestOutOfCooldown,
    readyAt: found.readyAt,
    unlisted: 'unlisted' in listing && listing.unlisted !== '' ? listing.unlisted : null,
    cooldown: toldCooldown(rules.installer, { name: one.name, version: found.smallest, publishedAt: timeOf, now }),
    bot: toldCooldown(rules.bot, { name: one.name, version: found.smallest, publishedAt: timeOf, now }),
  };
}

function waitOf(rule: Cooldown | null, name: string): (version: string) => number | null {
  return (version) => (rule === null || rule.isExcepted(name, version) ? 0 : rule.minutes);
}

interface Waiting {
  name: string;
  version: string | null;
  publishedAt: string | null;
  now: Date;
}

function toldCooldown(rule: Cooldown | null, { name, version, publishedAt, now }: Waiting): AdvisedCooldown | null {
  if (rule === null) return null;
  const { minutes, from, fault } = rule;
  const isExcepted = version !== null && rule.isExcepted(name, version);
  const ready = minutes === null || publishedAt === null ? null : Date.parse(publishedAt) + minutes * 60_000;
  const isWaiting = ready !== null && !isExcepted && ready > now.getTime();
  return { minutes, from, fault, isExcepted, readyAt: isWaiting ? new Date(ready).toISOString() : null };
}

function stepOf({ ecosystem, name, version, direct, smallest }: Advised): Question[] {
  if (smallest === null) return [];
  const change: PackageChange = {
    ecosystem,
    name,
    from: version,
    to: smallest,
    direct,
    dev: null,
    optional: null,
    source: 'registry',
    fromRef: null,
    toRef: null,
    as: [],
  };
  return [{ change, workspaces: [], ranges: [] }];
}
