// The row type of the upgrades that lists of many packages show.
import type { Breaking } from '../../contract/enums.ts';
import type { Ecosystem } from '../../domain/ecosystems/index.ts';

export interface ShownUpgradeTables {
  shown_upgrades: ShownUpgradeRow;
  starter_packages: StarterPackageRow;
}

export interface ShownUpgradeRow {
  ecosystem: Ecosystem;
  name: string;
  spelling: string;
  // How often it was asked for.
  asked: number;
  // Null while nothing is known, or no step leads from one major version to another.
  from_version: string | null;
  to_version: string | null;
  level: Breaking | null;
  // What breaks, in short words.
  reason: string | null;
  versions: number;
  // Versions whose notes call them breaking.
  breaking: number;
  unnoted: number;
  // Findings in the packages.
  proven: number;
  likely: number;
  steps: number;
  // When what it rests on last changed; judged again once that is another time.
  basis: string | null;
  judged_at: string | null;
}

export interface StarterPackageRow {
  ecosystem: Ecosystem;
  name: string;
  // The lower, the sooner.
  place: number;
  // `listing`: its versions and notes are read; `steps`: its last major steps are compared. `unreached`: no registry answers.
  state: 'waiting' | 'listing' | 'steps' | 'done' | 'failed' | 'stopped' | 'unreached';
}
