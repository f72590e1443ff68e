// What a check is told, what it tells on its way, and its report.
import type { AdvisedPackage } from '../domain/advisories/advised-package.ts';
import type { Ecosystem } from '../domain/ecosystems/index.ts';
import type { ProjectUpgrades } from '../domain/upgrade/lockfiles/upgrades.ts';
import type { AnsweredUpgrade } from '../domain/upgrade/report/answer.ts';
import type { NotesFrom } from '../domain/upgrade/report/notes-told.ts';
import type { ReportRow } from '../domain/upgrade/report/row.ts';
import { formatted, type SummaryOptions } from '../domain/upgrade/report/words.ts';
import type { Environment } from './npmrc/settings.ts';
import type { Chosen, NotLookedAt } from './questions.ts';

export interface CheckOptions extends Chosen {
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
  // A folder, archive or file of advisories; without one nothing is said of them.
  advisories?: string | null;
  now?: Date;
  // How far notes are looked for where no server has them; in public repositories unless told otherwise.
  notesFrom?: NotesFrom;
  // Bytes of archives after which indirect packages are left aside.
  mostDownloaded?: number;
  // A bill of materials whose packages are checked, in place of the lockfile of the folder.
  bill?: string;
  // Told what everybody may know of the packages that were looked at.
  onPackages?: (packages: ProjectUpgrades) => void;
  onStage?: (stage: CheckStage) => void;
}

export interface NotesServer {
  server: string;
  // In the order of the questions; null where the server tracks no such package.
  ask(items: readonly NotesQuestion[]): Promise<(AnsweredUpgrade | null)[]>;
}

interface NotesQuestion {
  package: string;
  ecosystem: Ecosystem;
  from: string;
  to: string;
}

export interface CheckStage {
  name: 'project' | 'advisories' | 'listings' | 'notes' | 'packages' | 'uses' | 'prove';
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
  notLookedAt: NotLookedAt;
  // Only the dependencies of this kind were looked at, because there are no others.
  only: 'dev' | 'optional' | null;
  // Packages that were compared, of those that could be.
  compared: { done: number; of: number };
  // Registries that could not be asked, each with one reason and how many packages.
  incomplete: { host: string; reason: string; packages: number }[];
  // What was not read, in words.
  leftOut: string[];
  // Null where no advisory data was given, which says nothing of advisories.
  advisories: AdvisoryReport | null;
}

export interface AdvisoryReport {
  // As it was named.
  from: string;
  records: number;
  // Files that are no records, or that cannot be read.
  unreadable: number;
  // Installed versions that were looked up.
  looked: number;
  packages: readonly AdvisedPackage[];
}

const KINDS = { dev: 'development', optional: 'optional' } as const;

// The dependencies that a check speaks of: `3 dependencies`, `1 development dependency`.
export function dependencies(count: number, kind: keyof typeof KINDS | null): string {
  return `${count} ${kind === null ? '' : `${KINDS[kind]} `}${count === 1 ? 'dependency' : 'dependencies'}`;
}

// What was left out without being asked for; null when nothing was.
export function notLookedAtWords({ notLookedAt }: Pick<ProjectReport, 'notLookedAt'>): string | null {
  const kinds = (['dev', 'optional'] as const).filter((kind) => notLookedAt[kind] > 0);
  if (kinds.length === 0) return null;
  const counts = kinds.map((kind) => dependencies(notLookedAt[kind], kind)).join(' and ');
  const verb = kinds.length === 1 && notLookedAt[kinds[0] ?? 'dev'] === 1 ? 'was' : 'were';
  return `${counts} ${verb} not looked at: --include ${kinds.join(',')}`;
}

export function summaryOptions(report: ProjectReport): SummaryOptions {
  return { isProposal: report.base === null, left: notLookedAtWords(report) };
}

// What was looked up in advisories, in one sentence. That nothing was given is no answer.
export function advisoryWords({ advisories }: Pick<ProjectReport, 'advisories'>): string {
  if (advisories === null) return 'Advisories: no advisory data was given (--advisories).';
  const { records, unreadable, looked, packages } = advisories;
  const covered = packages.filter(({ problems }) => problems.length > 0).length;
  const undecided = packages.length - covered;
  const versions = `${formatted(looked)} installed ${looked === 1 ? 'version' : 'versions'}`;
  return [
    `Advisories: ${formatted(records)} ${records === 1 ? 'record covers' : 'records cover'} ${covered === 0 ? 'none' : formatted(covered)} of ${versions}`,
    ...(undecided > 0 ? [`of ${formatted(undecided)} more it cannot be told`] : []),
    ...(unreadable > 0
      ? [
          unreadable === 1
            ? '1 file could not be read as a record'
            : `${formatted(unreadable)} files could not be read as records`,
        ]
      : []),
  ]
    .join('; ')
    .concat('.');
}

// Sentences on what else a report does not cover.
export function gapsOf({ leftOut, incomplete, notLookedAt }: ProjectReport): string[] {
  const { indirect } = notLookedAt;
  return [
    ...leftOut.map((one) => `Left out: ${one}.`),
    ...(indirect > 0
      ? [
          `${indirect} ${indirect === 1 ? 'package that only another needs was' : 'packages that only others need were'} not looked at: --indirect`,
        ]
      : []),
    ...incomplete.map(({ reason, packages }) => {
      const count = `${packages} ${packages === 1 ? 'package' : 'packages'}`;
      return `${count} could not be asked, so this report is not complete: ${reason}`;
    }),
  ];
}
