// What a report with an address is told of a check: names and versions that public registries have listed. Everything else is
// counted, and its name stays here.
import { NEWEST } from '../domain/upgrade/lockfiles/newest.ts';
import {
  isDowngrade,
  MAX_UPGRADES,
  type OtherChange,
  type PackageUpgrade,
  type ProjectUpgrades,
} from '../domain/upgrade/lockfiles/upgrades.ts';
import type { Question } from './questions.ts';

// `isListed`: a public registry has told of the package. `to` is what the check compares with; null where nothing is newer.
export interface AskedPackage {
  question: Question;
  isListed: boolean;
  to: string | null;
}

interface SharedOptions {
  // A pull request, instead of what newer versions would bring.
  isChange: boolean;
  // Newest versions are left to the server, which looks for them whenever somebody reads the report.
  isLatest: boolean;
}

export function sharedPackages(asked: readonly AskedPackage[], options: SharedOptions): ProjectUpgrades {
  const upgrades: PackageUpgrade[] = [];
  const others: OtherChange[] = [];
  let [hidden, elsewhere] = [0, 0];
  for (const { question, isListed, to } of asked) {
    const change = { ...question.change, fromRef: null, toRef: null, as: [] };
    const reason = reasonOf(change, options);
    const target = options.isLatest ? NEWEST : to;
    if (change.source !== 'registry') elsewhere += 1;
    else if (reason !== null) others.push({ ...change, name: UNNAMED, reason });
    else if (!isListed) hidden += 1;
    else if (change.from !== null && target !== null) upgrades.push({ ...change, from: change.from, to: target });
  }
  return {
    kind: options.isChange ? 'two_states' : 'lockfile',
    upgrades: upgrades.slice(0, MAX_UPGRADES),
    omitted: Math.max(0, upgrades.length - MAX_UPGRADES),
    others,
    hidden,
    elsewhere,
  };
}

// Stands for a package that is only counted.
const UNNAMED = '-';

function reasonOf({ from, to }: Question['change'], { isChange }: SharedOptions): OtherChange['reason'] | null {
  if (from === null) return 'added';
  if (to === null) return 'removed';
  return isChange && isDowngrade({ from, to }) ? 'lowered' : null;
}
