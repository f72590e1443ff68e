// Which packages a check asks about, and which versions of them it compares.
import { admitsVersion } from '../domain/evidence/ranges.ts';
import type { ListedVersion } from '../domain/published-package.ts';
import { changedPackages, type PackageChange, packageKey } from '../domain/upgrade/lockfiles/changed-packages.ts';
import { readNpmRange } from '../domain/upgrade/lockfiles/npm-specs.ts';
import type { LockedPackage, LockedPackages } from '../domain/upgrade/lockfiles/types.ts';
import { compareVersionKeys, isPrerelease, versionSort } from '../domain/versions/index.ts';
import type { Listing } from './packages/source.ts';
import { allowedRanges, type Project } from './project/read-project.ts';

export interface Question {
  change: PackageChange;
  workspaces: readonly string[];
  // What the manifests allow; empty where they do not tell.
  ranges: readonly string[];
}

// A question with the versions that are compared.
export interface Step {
  question: Question;
  from: string;
  to: string;
  listing: Listing;
}

export interface Chosen {
  to: 'latest' | 'wanted';
  isIndirect: boolean;
  include: ReadonlySet<string>;
  // One package, in the version that is asked for.
  only: { name: string; version: string | null } | null;
}

// Each installed version of each package that is chosen; its target is not known yet.
export function installedQuestions(project: Project, chosen: Chosen): Question[] {
  const { packages, direct } = project.locked;
  const ranges = allowedRanges(project);
  const namers = Map.groupBy(direct, ({ locked }) => locked);
  const knowsDirect = direct.length > 0;
  return packages
    .filter((one) => isChosen(one, chosen, knowsDirect))
    .map((one) => {
      const named = namers.get(one) ?? [];
      return {
        change: changeOf(one),
        workspaces: workspacesOf(named.map(({ workspace }) => workspace)),
        ranges: named.flatMap(({ workspace, installedAs }) => {
          const spec = ranges.get(`${workspace === '.' ? '' : workspace}\n${installedAs}`);
          const range = spec === undefined ? null : readNpmRange(installedAs, spec)?.range;
          return range ? [range] : [];
        }),
      };
    });
}

// What a pull request brings: every copy that changed, was added or removed.
export function changedQuestions(before: LockedPackages, after: LockedPackages): Question[] {
  return changedPackages(before, after).map((change) => {
    const named = after.direct.filter(
      ({ locked }) => packageKey(locked) === packageKey(change) && locked.version === change.to,
    );
    return { change, workspaces: workspacesOf(named.map(({ workspace }) => workspace)), ranges: [] };
  });
}

function isChosen(one: LockedPackage, { isIndirect, include, only }: Chosen, knowsDirect: boolean): boolean {
  if (only) return packageKey(one) === packageKey({ ...one, name: only.name });
  if (knowsDirect && one.direct !== true && !isIndirect) return false;
  if (one.dev === true && !include.has('dev')) return false;
  return one.optional !== true || include.has('optional');
}

function workspacesOf(all: readonly string[]): string[] {
  return [...new Set(all.filter((one) => one !== '' && one !== '.'))].sort();
}

function changeOf(one: LockedPackage): PackageChange {
  const { ecosystem, name, version, direct, dev, optional, source, ref, as } = one;
  return { ecosystem, name, from: version, to: version, direct, dev, optional, source, fromRef: ref, toRef: ref, as };
}

// The version to go to; null when nothing higher is known.
export function targetOf({ change, ranges }: Question, listing: Listing, chosen: Chosen): string | null {
  const wanted = chosen.only?.version ?? null;
  if (wanted !== null) return listing.versions.find(({ version }) => version === wanted)?.version ?? null;
  const target =
    chosen.to === 'wanted'
      ? newestAllowed(listing.versions, ranges)
      : (listing.latest ?? newestAllowed(listing.versions, []));
  return target !== null && isHigher(target, change.from ?? '') ? target : null;
}

function newestAllowed(versions: readonly ListedVersion[], ranges: readonly string[]): string | null {
  return versions.reduce<string | null>((best, { version, withdrawn }) => {
    const isAllowed = !withdrawn && !isPrerelease(version) && ranges.every((range) => admitsVersion(range, version));
    return isAllowed && (best === null || isHigher(version, best)) ? version : best;
  }, null);
}

function isHigher(a: string, b: string): boolean {
  const [key, other] = [versionSort(a), versionSort(b)];
  return key !== null && other !== null && compareVersionKeys(key, other) > 0;
}
