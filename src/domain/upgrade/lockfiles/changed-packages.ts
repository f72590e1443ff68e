// What differs between two states of a lockfile.
import { normalizePackageName } from '../../package-names.ts';
import { compareVersionKeys, versionSort } from '../../versions/index.ts';
import { readVersionRange } from '../version-range.ts';
import type { LockedPackage } from './types.ts';

export interface PackageChange {
  ecosystem: LockedPackage['ecosystem'];
  name: string;
  // Null: the package is new.
  from: string | null;
  // Null: the package is gone.
  to: string | null;
  direct: boolean | null;
}

// Direct dependencies first, then by name. A package of several versions changes in its highest one.
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

// What the project itself names counts before what its dependencies bring along.
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

// The spelling of a name may differ from file to file.
export function packageKey({ ecosystem, name }: Pick<LockedPackage, 'ecosystem' | 'name'>): string {
  return `${ecosystem} ${normalizePackageName(ecosystem, name)}`;
}

// Where a version stands in the order of versions, a range by the lowest one that it admits; '' for neither.
export function sortKey(version: string): string {
  return versionSort(readVersionRange(version)?.lowest ?? version) ?? '';
}
