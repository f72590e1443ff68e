// The packages of a lockfile or manifest as a stack keeps them: names and versions, without what the public registries
// do not have.
import { type Ecosystem, isPossibleName, normalizePackageName } from '../ecosystems/index.ts';
import { privateNames } from '../upgrade/lockfiles/private-names.ts';
import { readLockfile } from '../upgrade/lockfiles/read.ts';
import { readVersionRange } from '../upgrade/version-range.ts';

export interface StackedPackage {
  ecosystem: Ecosystem;
  package: string;
  version: string;
}

export interface LockedList {
  packages: StackedPackage[];
  // The name of the format.
  source: string;
  // How many packages were left out, because they come from no public registry or name no version.
  leftOut: number;
}

// Null for a text of no known format.
export function lockedList(file: { filename?: string; text: string }): LockedList | null {
  const read = readLockfile(file);
  if (read === null) return null;
  const hidden = privateNames(file.text);
  const kept = read.packages.filter(
    ({ source, ecosystem, name, version }) =>
      source === 'registry' &&
      isPossibleName(ecosystem, name) &&
      !hidden.has(name) &&
      !readVersionRange(version)?.isAny,
  );
  const packages = distinct(kept.map(({ ecosystem, name, version }) => ({ ecosystem, package: name, version })));
  return { packages, source: read.format, leftOut: read.packages.length - kept.length };
}

// Each version of a package once, in a fixed order.
export function distinct(packages: readonly StackedPackage[]): StackedPackage[] {
  const keyed = packages.map((one) => {
    const name = normalizePackageName(one.ecosystem, one.package);
    return [`${one.ecosystem}\n${name}\n${one.version}`, { ...one, package: name }] as const;
  });
  return [...new Map(keyed)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
