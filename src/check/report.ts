// What a check is told, what it tells on its way, and its report.
import type { AnsweredUpgrade } from '../domain/upgrade/report/answer.ts';
import type { ReportRow } from '../domain/upgrade/report/row.ts';
import type { Environment } from './npmrc/settings.ts';
import type { Chosen } from './questions.ts';

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
  // Bytes of archives after which indirect packages are left aside.
  mostDownloaded?: number;
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
