// What changed between the files of a project, as questions about packages: two states of a lockfile or manifest, a diff
// of them, or a manifest alone, which is compared with the newest versions. The page and the command line ask the same.
import { compareVersionKeys } from '../../versions/index.ts';
import { readVersionRange } from '../version-range.ts';
import { changedPackages, highestOf, type PackageChange, packageKey, sortKey } from './changed-packages.ts';
import { type DiffPackages, diffPackages } from './diff-packages.ts';
import { ecosystemOf, type Lockfile, readLockfile } from './read.ts';
import type { LockedPackage } from './types.ts';
import { readUnifiedDiff } from './unified-diff.ts';

interface GivenFile {
  // Without a known name the format is guessed from the text.
  filename?: string;
  text: string;
}

export interface PackageUpgrade {
  ecosystem: LockedPackage['ecosystem'];
  name: string;
  from: string;
  to: string;
  direct: boolean | null;
}

// Changes that are no upgrade, because there is no range from a lower to a higher version.
export interface OtherChange extends Omit<PackageChange, 'direct'> {
  reason: 'added' | 'removed' | 'lowered' | 'any_version' | 'unreadable';
}

export interface ProjectUpgrades {
  kind: 'diff' | 'two_states' | 'manifest';
  // The upgrades that fit into one report, direct dependencies first.
  upgrades: PackageUpgrade[];
  // How many upgrades did not fit.
  omitted: number;
  others: OtherChange[];
  // How many other changes did not fit.
  othersOmitted?: number;
}

// What is wrong with the files, as a sentence for the person who gave them.
export interface UnreadableFiles {
  problem: string;
}

// Longer names cannot be asked for.
const LONGEST_NAME = 200;
export const MOST_UPGRADES = 300;
export const MOST_FILE_CHARACTERS = 1_048_576;

const FORMATS =
  'package.json, package-lock.json, pnpm-lock.yaml, yarn.lock, bun.lock, requirements.txt, poetry.lock or uv.lock';

// One file: a diff or a manifest. Two: the older state and the newer one, or a manifest and its lockfile.
export function readUpgrades(files: readonly GivenFile[]): ProjectUpgrades | UnreadableFiles {
  const given = files.filter(({ text }) => text.trim() !== '');
  const size = given.reduce((sum, { text }) => sum + text.length, 0);
  if (size > MOST_FILE_CHARACTERS) return { problem: 'The files are larger than 1 MB.' };
  const [first, second] = given;
  if (!first) return { problem: `Nothing was given. Give a diff, a package.json, or two states of ${FORMATS}.` };
  if (given.length > 2) return { problem: 'Give one diff, one package.json, or two files: more than two were given.' };
  const diff = second ? null : readUnifiedDiff(first.text);
  if (diff) return ofDiff(diff.map(diffPackages).filter((read) => read !== null));
  const [one, other] = [readLockfile(first), second ? readLockfile(second) : null];
  if (!one || (second && !other)) {
    const which = !second ? 'The text' : one ? 'The second file' : 'The first file';
    return { problem: `${which} is neither a diff nor a readable ${FORMATS}.` };
  }
  return other ? ofTwo(one, other) : ofOne(one);
}

const isManifest = ({ format }: Pick<Lockfile, 'format'>) => format === 'package.json';

// Where a diff shows the lockfile, the ranges of the manifest say only which packages are direct.
function ofDiff(files: readonly DiffPackages[]): ProjectUpgrades | UnreadableFiles {
  if (files.length === 0) return { problem: `The diff changes no ${FORMATS}.` };
  const locked = files.filter((file) => !isManifest(file));
  const named = new Set(files.filter(isManifest).flatMap(({ after }) => after.map(packageKey)));
  const counted = files.filter(
    (file) =>
      !isManifest(file) || locked.every((lockfile) => ecosystemOf(lockfile.format) !== ecosystemOf(file.format)),
  );
  const changes = changedPackages(
    counted.flatMap(({ before }) => before),
    counted.flatMap(({ after }) => after),
  ).map((change) => (named.has(packageKey(change)) ? { ...change, direct: true } : change));
  return sorted('diff', changes);
}

function ofTwo(one: Lockfile, other: Lockfile): ProjectUpgrades | UnreadableFiles {
  if (ecosystemOf(one.format) !== ecosystemOf(other.format)) {
    return { problem: `A ${one.format} cannot be compared with a ${other.format}.` };
  }
  if (isManifest(one) !== isManifest(other)) return isManifest(one) ? ofManifest(one, other) : ofManifest(other, one);
  return sorted('two_states', changedPackages(one.packages, other.packages));
}

function ofOne(file: Lockfile): ProjectUpgrades | UnreadableFiles {
  if (isManifest(file) || file.format === 'requirements.txt') return ofManifest(file, null);
  return {
    problem: `One ${file.format} does not tell what changes. Give its other state too, or the package.json beside it.`,
  };
}

// Upgrades to the newest version, from the version in use or else from the lowest one that the range admits.
function ofManifest(manifest: Lockfile, lockfile: Lockfile | null): ProjectUpgrades {
  const locked = highestOf(lockfile?.packages ?? []);
  const changes = manifest.packages.map(({ ecosystem, name, version }): PackageChange => {
    const from = locked.get(packageKey({ ecosystem, name }))?.version ?? version;
    return { ecosystem, name, from, to: 'latest', direct: true };
  });
  return sorted('manifest', changes);
}

function sorted(kind: ProjectUpgrades['kind'], changes: readonly PackageChange[]): ProjectUpgrades {
  const upgrades: PackageUpgrade[] = [];
  const others: OtherChange[] = [];
  const inOrder = [...changes].sort((a, b) => Number(b.direct === true) - Number(a.direct === true));
  for (const { ecosystem, name, from, to, direct } of inOrder) {
    const reason = refusal({ name, from, to });
    if (reason === null && from !== null && to !== null) upgrades.push({ ecosystem, name, from, to, direct });
    else if (reason !== null) others.push({ ecosystem, name, from, to, reason });
  }
  return {
    kind,
    upgrades: upgrades.slice(0, MOST_UPGRADES),
    omitted: Math.max(0, upgrades.length - MOST_UPGRADES),
    others,
  };
}

function refusal({ name, from, to }: Pick<PackageChange, 'name' | 'from' | 'to'>): OtherChange['reason'] | null {
  if (from === null) return 'added';
  if (to === null) return 'removed';
  if (readVersionRange(from)?.isAny || readVersionRange(to)?.isAny) return 'any_version';
  const [low, high] = [sortKey(from), sortKey(to)];
  if (low === '' || (high === '' && to !== 'latest') || name.length > LONGEST_NAME) return 'unreadable';
  return high !== '' && compareVersionKeys(low, high) > 0 ? 'lowered' : null;
}
