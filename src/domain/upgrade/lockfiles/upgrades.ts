// What changed between the files of a project, as questions about packages: two states of a lockfile or manifest, a diff
// of them, or one file alone, which is compared with the newest versions. The page and the command line ask the same.
import { compareVersionKeys } from '../../versions/index.ts';
import { readVersionRange } from '../version-range.ts';
import { changedPackages, type PackageChange, sortKey } from './changed-packages.ts';
import { type DiffPackages, diffPackages } from './diff-packages.ts';
import { type FileFault, faultOf } from './file-fault.ts';
import { NEWEST, newestOfLockfile, newestOfManifest } from './newest.ts';
import { ecosystemOf, type Lockfile, readLockfile } from './read.ts';
import type { LockedPackages } from './types.ts';
import { readUnifiedDiff } from './unified-diff.ts';

interface GivenFile {
  // Without a known name the format is guessed from the text.
  filename?: string;
  text: string;
}

export interface PackageUpgrade extends PackageChange {
  from: string;
  to: string;
}

// Changes that are no upgrade, because there is no range from a lower to a higher version of a registry.
export const OTHER_REASONS = ['added', 'removed', 'lowered', 'elsewhere', 'any_version', 'unreadable'] as const;

export interface OtherChange extends PackageChange {
  reason: (typeof OTHER_REASONS)[number];
}

export const PROJECT_KINDS = ['diff', 'two_states', 'manifest', 'lockfile'] as const;

export interface ProjectUpgrades {
  kind: (typeof PROJECT_KINDS)[number];
  // The upgrades that fit into one report, direct dependencies first.
  upgrades: PackageUpgrade[];
  // How many upgrades did not fit.
  omitted: number;
  others: OtherChange[];
  // How many other changes did not fit.
  othersOmitted?: number;
  // How many packages come from another registry than the public one; they are in neither list.
  hidden?: number;
  // How many packages of one lockfile come from git, a folder or an archive; they are in neither list.
  elsewhere?: number;
  // How many components of a bill of materials are of ecosystems that are not compared.
  otherEcosystems?: number;
}

// One state alone changes nothing: its report is about the versions that the project could go to.
export function isProposal(kind: ProjectUpgrades['kind']): boolean {
  return kind === 'manifest' || kind === 'lockfile';
}

// What is wrong with the files, as a sentence for the person who gave them.
export interface UnreadableFiles {
  problem: string;
  // Which of the given files it is.
  file?: number;
  fault?: FileFault;
}

// Longer names cannot be asked for.
const MAX_NAME_LENGTH = 200;
export const MAX_UPGRADES = 5000;
export const MAX_FILE_CHARACTERS = 16 * 1024 * 1024;

export const FILE_KINDS =
  'package-lock, npm-shrinkwrap, pnpm, Yarn, Bun, uv, Poetry, PDM, requirements.txt with pins, a package.json, or a bill of materials (CycloneDX, SPDX)';

// One file: a diff, a manifest or a lockfile. Two: the older state and the newer one, or a manifest and its lockfile.
// `isWhole`: of a lockfile alone the indirect dependencies too.
export function readUpgrades(files: readonly GivenFile[], isWhole = false): ProjectUpgrades | UnreadableFiles {
  const given = files.map((file, index) => ({ ...file, index })).filter(({ text }) => text.trim() !== '');
  const size = given.reduce((sum, { text }) => sum + text.length, 0);
  if (size > MAX_FILE_CHARACTERS) return { problem: 'The files are larger than 16 MB.' };
  const [first, second] = given;
  if (!first) return { problem: 'Nothing was given. Paste a lockfile or a diff, or choose a file.' };
  if (given.length > 2) return { problem: 'More than two files were given. Give one file, two lockfiles or one diff.' };
  const diff = second ? null : readUnifiedDiff(first.text);
  if (diff) return ofDiff(diffPackages(diff), first.index);
  const [one, other] = [readLockfile(first), second ? readLockfile(second) : null];
  const unread = one === null ? first : second && other === null ? second : null;
  if (unread) return unreadable(unread);
  if (one === null) return unreadable(first);
  return other ? ofTwo(one, other) : ofOne(one, isWhole);
}

function unreadable({ index, ...file }: GivenFile & { index: number }): UnreadableFiles {
  const fault = faultOf(file);
  const problem = fault?.text ?? `This is neither a diff nor one of the files that can be read: ${FILE_KINDS}.`;
  return { problem, file: index, ...(fault ? { fault } : {}) };
}

const isManifest = ({ format }: { format: Lockfile['format'] }) => format === 'package.json';

// Where a diff shows the lockfile, the ranges of the manifest say only which packages are direct.
function ofDiff(files: readonly DiffPackages[], index: number): ProjectUpgrades | UnreadableFiles {
  if (files.length === 0) {
    return { problem: `The diff changes none of the files that can be read: ${FILE_KINDS}.`, file: index };
  }
  const locked = files.filter((file) => !isManifest(file));
  const counted = files.filter(
    (file) =>
      !isManifest(file) || locked.every((lockfile) => ecosystemOf(lockfile.format) !== ecosystemOf(file.format)),
  );
  const all = (of: (file: DiffPackages) => LockedPackages): LockedPackages => ({
    packages: counted.flatMap((file) => of(file).packages),
    direct: counted.flatMap((file) => of(file).direct),
  });
  return sorted(
    'diff',
    changedPackages(
      all(({ before }) => before),
      all(({ after }) => after),
    ),
  );
}

function ofTwo(one: Lockfile, other: Lockfile): ProjectUpgrades | UnreadableFiles {
  if (ecosystemsOf(one) !== ecosystemsOf(other)) {
    return { problem: `A ${one.format} cannot be compared with a ${other.format}.` };
  }
  if (isManifest(one) && !isManifest(other)) return sorted('manifest', newestOfManifest(one, other));
  if (isManifest(other) && !isManifest(one)) return sorted('manifest', newestOfManifest(other, one));
  return sorted('two_states', changedPackages(one, other));
}

// A bill of materials may be of several; it is compared with another one.
function ecosystemsOf({ format }: Lockfile): string {
  return format === 'CycloneDX' || format === 'SPDX' ? 'several' : ecosystemOf(format);
}

function ofOne(file: Lockfile, isWhole: boolean): ProjectUpgrades {
  if (isManifest(file)) return sorted('manifest', newestOfManifest(file, null));
  const found = sorted(file.format === 'requirements.txt' ? 'manifest' : 'lockfile', newestOfLockfile(file, isWhole));
  return file.otherEcosystems === undefined ? found : { ...found, otherEcosystems: file.otherEcosystems };
}

function sorted(kind: ProjectUpgrades['kind'], changes: readonly PackageChange[]): ProjectUpgrades {
  const upgrades: PackageUpgrade[] = [];
  const others: OtherChange[] = [];
  let elsewhere = 0;
  const inOrder = [...changes].sort((a, b) => Number(b.direct === true) - Number(a.direct === true));
  for (const change of inOrder) {
    const { from, to } = change;
    const reason = refusal(change);
    if (reason === null && from !== null && to !== null) upgrades.push({ ...change, from, to });
    // What comes from no registry has no newest version to be compared with.
    else if (reason === 'elsewhere' && isUnchanged(change)) elsewhere += 1;
    else if (reason !== null) others.push({ ...change, reason });
  }
  return {
    kind,
    upgrades: upgrades.slice(0, MAX_UPGRADES),
    omitted: Math.max(0, upgrades.length - MAX_UPGRADES),
    others,
    ...(elsewhere > 0 && { elsewhere }),
  };
}

function isUnchanged({ from, to, fromRef, toRef }: PackageChange): boolean {
  return from === to && fromRef === toRef;
}

function refusal(change: PackageChange): OtherChange['reason'] | null {
  const { name, from, to, source } = change;
  if (from === null) return 'added';
  if (to === null) return 'removed';
  if (source !== 'registry') return 'elsewhere';
  if (readVersionRange(from)?.isAny || readVersionRange(to)?.isAny) return 'any_version';
  if (sortKey(from) === '' || (sortKey(to) === '' && to !== NEWEST) || name.length > MAX_NAME_LENGTH)
    return 'unreadable';
  return isDowngrade(change) ? 'lowered' : null;
}

// Whether the change goes to a lower version.
export function isDowngrade({ from, to }: Pick<PackageChange, 'from' | 'to'>): boolean {
  const [low, high] = [sortKey(from ?? ''), sortKey(to ?? '')];
  return low !== '' && high !== '' && compareVersionKeys(low, high) > 0;
}
