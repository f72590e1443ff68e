// What differs between two states of a lockfile: every installed copy that changed, was added or removed.
import { normalizePackageName } from '../../published-package.ts';
import { compareVersionKeys, versionSort } from '../../versions/index.ts';
import { readVersionRange } from '../version-range.ts';
import type { DirectDependency, LockedPackage, LockedPackages, PackageSource } from './types.ts';

export interface PackageChange {
  ecosystem: LockedPackage['ecosystem'];
  name: string;
  // Null for a new package.
  from: string | null;
  // Null for a removed package.
  to: string | null;
  // These three are null where the files do not tell.
  direct: boolean | null;
  dev: boolean | null;
  optional: boolean | null;
  // Where both states come from; a state that comes from no registry decides.
  source: PackageSource;
  // Commit, folder or archive; null for a package of a registry.
  fromRef: string | null;
  toRef: string | null;
  // The names other than its own under which the project installs it.
  as: string[];
}

type Pair = [before: LockedPackage | null, after: LockedPackage | null];

// The changes, direct dependencies first, then by name. Direct dependencies are paired by the workspace and the name under
// which they are installed, the other copies by their place, then by the order of versions.
export function changedPackages(before: LockedPackages, after: LockedPackages): PackageChange[] {
  const pairs = directPairs(before.direct, after.direct);
  const taken = new Set(pairs.flat());
  const [older, newer] = [copyKeys(before.packages), copyKeys(after.packages)];
  const gone = before.packages.filter((one) => !taken.has(one) && !newer.has(copyKey(one)));
  const fresh = after.packages.filter((one) => !taken.has(one) && !older.has(copyKey(one)));
  const freshByName = byName(fresh);
  for (const [name, left] of byName(gone)) pairs.push(...copyPairs(left, freshByName.get(name) ?? []));
  const paired = new Set(pairs.flat());
  for (const one of gone) if (!paired.has(one)) pairs.push([one, null]);
  for (const one of fresh) if (!paired.has(one)) pairs.push([null, one]);
  return distinct(pairs.map(changeOf)).sort(
    (a, b) =>
      Number(b.direct === true) - Number(a.direct === true) ||
      compareText(a.name, b.name) ||
      compareVersions(a.from ?? a.to ?? '', b.from ?? b.to ?? ''),
  );
}

// Direct dependencies that moved. One that moves to a copy which was already there has changed, too.
function directPairs(before: readonly DirectDependency[], after: readonly DirectDependency[]): Pair[] {
  const key = ({ workspace, installedAs, locked }: DirectDependency) =>
    `${workspace}\n${installedAs}\n${packageKey(locked)}`;
  const older = grouped(before, key);
  return [...grouped(after, key)].flatMap(([name, newer]): Pair[] => {
    const [was, is] = [copiesOf(older.get(name) ?? []), copiesOf(newer)];
    const [wasKeys, isKeys] = [copyKeys(was), copyKeys(is)];
    return orderedPairs(
      was.filter((one) => !isKeys.has(copyKey(one))).sort(byVersion),
      is.filter((one) => !wasKeys.has(copyKey(one))).sort(byVersion),
    );
  });
}

function copiesOf(dependencies: readonly DirectDependency[]): LockedPackage[] {
  return [...new Set(dependencies.map(({ locked }) => locked))];
}

// Copies of one package: first those in the same place, then by the order of versions.
function copyPairs(gone: readonly LockedPackage[], fresh: readonly LockedPackage[]): Pair[] {
  const pairs: Pair[] = [];
  const taken = new Set<LockedPackage>();
  const places = new Map(fresh.flatMap((one) => one.places.map((place) => [place, one] as const)));
  for (const one of gone) {
    const other = one.places.map((place) => places.get(place)).find((copy) => copy && !taken.has(copy));
    if (!other) continue;
    pairs.push([one, other]);
    taken.add(one).add(other);
  }
  const rest = (copies: readonly LockedPackage[]) => copies.filter((one) => !taken.has(one)).sort(byVersion);
  return [...pairs, ...orderedPairs(rest(gone), rest(fresh))];
}

function changeOf([before, after]: Pair): PackageChange {
  const shown = (after ?? before) as LockedPackage;
  const elsewhere = [after, before].find((one) => one && one.source !== 'registry');
  return {
    ecosystem: shown.ecosystem,
    name: shown.name,
    from: before?.version ?? null,
    to: after?.version ?? null,
    direct: shown.direct,
    dev: shown.dev,
    optional: shown.optional,
    source: elsewhere?.source ?? 'registry',
    fromRef: before?.ref ?? null,
    toRef: after?.ref ?? null,
    as: [...new Set([...(before?.as ?? []), ...(after?.as ?? [])])],
  };
}

// Several workspaces may move the same package in the same way.
function distinct(changes: readonly PackageChange[]): PackageChange[] {
  const seen = new Map<string, PackageChange>();
  for (const change of changes) {
    const { ecosystem, name, from, to, fromRef, toRef } = change;
    const key = JSON.stringify([packageKey({ ecosystem, name }), from, to, fromRef, toRef]);
    if (!seen.has(key)) seen.set(key, change);
  }
  return [...seen.values()];
}

function copyKey(one: LockedPackage): string {
  return [packageKey(one), one.version, one.source, one.ref].join('\n');
}

function copyKeys(copies: readonly LockedPackage[]): Set<string> {
  return new Set(copies.map(copyKey));
}

function byName(copies: readonly LockedPackage[]): Map<string, LockedPackage[]> {
  return grouped(copies, packageKey);
}

function grouped<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

export function byVersion(a: LockedPackage, b: LockedPackage): number {
  return compareVersions(a.version, b.version);
}

function compareVersions(a: string, b: string): number {
  return compareVersionKeys(sortKey(a), sortKey(b)) || compareText(a, b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// The key under which differently spelled names of a package are the same.
export function packageKey({ ecosystem, name }: Pick<LockedPackage, 'ecosystem' | 'name'>): string {
  return `${ecosystem} ${normalizePackageName(ecosystem, name)}`;
}

// The sort key of a version, or of the lowest version that a range admits; '' for a text that is neither.
export function sortKey(version: string): string {
  return versionSort(readVersionRange(version)?.lowest ?? version) ?? '';
}

// Pairs two lists of copies in the order of their versions.

const MAX_COMPARED = 10_000;

// Both lists are sorted by version. No two pairs cross; where one list is longer, those are left over that leave the most
// pairs within a major version, and else the highest.
function orderedPairs(
  older: readonly LockedPackage[],
  newer: readonly LockedPackage[],
): [LockedPackage, LockedPackage][] {
  const [few, many] = older.length <= newer.length ? [older, newer] : [newer, older];
  const chosen = few.length * many.length > MAX_COMPARED ? few.map((_, index) => index) : chosenPartners(few, many);
  return few.map((one, index) => {
    const other = many[chosen[index] ?? 0] as LockedPackage;
    return few === older ? [one, other] : [other, one];
  });
}

// For each of the shorter list the position of its partner in the longer one.
function chosenPartners(few: readonly LockedPackage[], many: readonly LockedPackage[]): number[] {
  const spare = many.length - few.length;
  // best[i][s]: most pairs within a major version from the i-th on, when s have been left over before it.
  const best = Array.from({ length: few.length + 1 }, () => new Array<number>(spare + 1).fill(0));
  for (let at = few.length - 1; at >= 0; at -= 1) {
    for (let skipped = spare; skipped >= 0; skipped -= 1) {
      const taken = scoreOf(few[at], many[at + skipped]) + (best[at + 1]?.[skipped] ?? 0);
      const later = skipped < spare ? (best[at]?.[skipped + 1] ?? 0) : -1;
      (best[at] as number[])[skipped] = Math.max(taken, later);
    }
  }
  let skipped = 0;
  return few.map((one, at) => {
    const goal = best[at]?.[skipped] ?? 0;
    while (skipped < spare && scoreOf(one, many[at + skipped]) + (best[at + 1]?.[skipped] ?? 0) < goal) skipped += 1;
    return at + skipped;
  });
}

function scoreOf(one: LockedPackage | undefined, other: LockedPackage | undefined): number {
  return majorOf(one) === majorOf(other) ? 1 : 0;
}

function majorOf(one: LockedPackage | undefined): string {
  return /\d+/.exec(one?.version ?? '')?.[0] ?? '';
}
