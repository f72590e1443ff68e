// What differs between two states of a lockfile.
import { normalizePackageName } from '../../package-names.ts';
import { compareVersionKeys, versionSort } from '../../versions/index.ts';
import { readVersionRange } from '../version-range.ts';
import type { LockedPackage } from './types.ts';

export interface PackageChange {
  ecosystem: LockedPackage['ecosystem'];
  name: string;
  // Null for a new package.
  from: string | null;
  // Null for a removed package.
  to: string | null;
  direct: boolean | null;
}

// The changed packages, direct dependencies first, then by name. Of a package that is installed in several versions the
// highest one counts.
export function changedPackages(before: readonly LockedPackage[], after: readonly LockedPackage[]): PackageChange[] {
  const [older, newer] = [highestOf(before), highestOf(after)];
  const keys = new Set([...older.keys(), ...newer.keys()]);
  const changes = [...keys].flatMap((key): PackageChange[] => {
    const [one, other] = [older.get(key), newer.get(key)];
    const { ecosystem, name } = (other ?? one) as LockedPackage;
    if (one?.version === other?.version) return [];
    const direct = other?.direct ?? one?.direct ?? null;
    return [{ ecosystem, name, from: one?.version ?? null, to: other?.version ?? null, direct }];
  });
  return changes.sort((a, b) => Number(b.direct === true) - Number(a.direct === true) || (a.name < b.name ? -1 : 1));
}

// The highest version of each package; versions that the project itself names come before those of its dependencies.
export function highestOf(packages: readonly LockedPackage[]): Map<string, LockedPackage> {
  const highest = new Map<string, LockedPackage>();
  for (const one of packages) {
    const key = packageKey(one);
    const known = highest.get(key);
    const isPreferred = !known || (one.direct === true && known.direct !== true);
    const isEqual = known && (one.direct === true) === (known.direct === true);
    if (isPreferred || (isEqual && compareVersionKeys(sortKey(one.version), sortKey(known.version)) > 0))
      highest.set(key, one);
  }
  return highest;
}

// The key under which differently spelled names of a package are the same.
export function packageKey({ ecosystem, name }: Pick<LockedPackage, 'ecosystem' | 'name'>): string {
  return `${ecosystem} ${normalizePackageName(ecosystem, name)}`;
}

// The sort key of a version, or of the lowest version that a range admits; '' for a text that is neither.
export function sortKey(version: string): string {
  return versionSort(readVersionRange(version)?.lowest ?? version) ?? '';
}
