// What the newest versions would bring to a project: one change from the version in use for each package that it names.
import { byVersion, type PackageChange, packageKey } from './changed-packages.ts';
import type { LockedPackage, LockedPackages } from './types.ts';

export const NEWEST = 'latest';

// By a manifest, with the versions in use of the lockfile that was given with it.
export function newestOfManifest(manifest: LockedPackages, lockfile: LockedPackages | null): PackageChange[] {
  return manifest.direct.map(({ installedAs, locked }) => {
    const used = lockfile && usedOf(lockfile, installedAs, locked);
    return toNewest(locked, used ?? locked);
  });
}

// By a lockfile alone: the direct dependencies, or all packages where it does not tell them or all are asked for.
export function newestOfLockfile(lockfile: LockedPackages, isWhole = false): PackageChange[] {
  const known = !isWhole && lockfile.packages.some(({ direct }) => direct === true);
  return lockfile.packages.filter(({ direct }) => !known || direct === true).map((one) => toNewest(one, one));
}

function usedOf(lockfile: LockedPackages, installedAs: string, named: LockedPackage): LockedPackage | null {
  const isMeant = (one: LockedPackage) => packageKey(one) === packageKey(named);
  const direct = lockfile.direct.filter((one) => one.installedAs === installedAs && isMeant(one.locked));
  const own = direct.find(({ workspace }) => workspace === '' || workspace === '.') ?? direct[0];
  return own?.locked ?? highest(lockfile.packages.filter(isMeant));
}

function highest(copies: readonly LockedPackage[]): LockedPackage | null {
  return copies.toSorted(byVersion).at(-1) ?? null;
}

function toNewest(named: LockedPackage, used: LockedPackage): PackageChange {
  return {
    ecosystem: named.ecosystem,
    name: named.name,
    from: used.version,
    to: used.source === 'registry' ? NEWEST : used.version,
    direct: named.direct,
    dev: named.dev ?? used.dev,
    optional: named.optional ?? used.optional,
    source: used.source,
    fromRef: used.ref,
    toRef: used.ref,
    as: named.as,
  };
}
