// Which packages a check asks about, and which versions of them it compares.
import { admitsVersion } from '../domain/evidence/ranges.ts';
import type { ListedVersion } from '../domain/published-package.ts';
import { taggedVersion } from '../domain/upgrade/dist-tags.ts';
import { changedPackages, type PackageChange, packageKey } from '../domain/upgrade/lockfiles/changed-packages.ts';
import { readNpmRange } from '../domain/upgrade/lockfiles/npm-specs.ts';
import type { LockedPackage, LockedPackages } from '../domain/upgrade/lockfiles/types.ts';
import { compareVersionKeys, isPrerelease, versionSort } from '../domain/versions/index.ts';
import type { Listing } from './packages/source.ts';
import { allowedRanges, type Project } from './project/read-project.ts';
import { isUnversioned } from './project/unversioned.ts';

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

// What a check leaves out unless it is asked for.
export interface NotLookedAt {
  dev: number;
  optional: number;
  indirect: number;
}

interface InstalledQuestions {
  // Each installed version of each package that is chosen; its target is not known yet.
  questions: Question[];
  notLookedAt: NotLookedAt;
  // The kind that was looked at although nobody asked for it, because there is no other.
  only: 'dev' | 'optional' | null;
}

// A project that has nothing but development dependencies is checked with them.
export function installedQuestions(project: Project, chosen: Chosen): InstalledQuestions {
  const { direct } = project.locked;
  const packages = project.locked.packages.filter((one) => !isUnversioned(project.locked, one));
  const knowsDirect = direct.length > 0;
  const kinds = packages.map((one) => ({ one, left: leftFor(one, chosen, knowsDirect) }));
  const [only] = kinds.some(({ left }) => left === null)
    ? []
    : (['dev', 'optional'] as const).filter((kind) => kinds.some(({ left }) => left === kind));
  const count = (kind: keyof NotLookedAt) => (kind === only ? 0 : kinds.filter(({ left }) => left === kind).length);
  const taken = kinds.filter(({ left }) => left === null || left === only).map(({ one }) => one);
  return {
    questions: questionsOf(project, taken),
    notLookedAt: { dev: count('dev'), optional: count('optional'), indirect: count('indirect') },
    only: only ?? null,
  };
}

function questionsOf(project: Project, packages: readonly LockedPackage[]): Question[] {
  const ranges = allowedRanges(project);
  const namers = Map.groupBy(project.locked.direct, ({ locked }) => locked);
  return packages.map((one) => {
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

type Left = keyof NotLookedAt | 'other';

// Why a package is not looked at; null for one that is.
function leftFor(one: LockedPackage, { isIndirect, include, only }: Chosen, knowsDirect: boolean): Left | null {
  if (only) return packageKey(one) === packageKey({ ...one, name: only.name }) ? null : 'other';
  if (knowsDirect && one.direct !== true && !isIndirect) return 'indirect';
  if (one.dev === true && !include.has('dev')) return 'dev';
  return one.optional !== true || include.has('optional') ? null : 'optional';
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
  if (wanted !== null) {
    const meant = taggedVersion(listing.tags, wanted) ?? wanted;
    return listing.versions.find(({ version }) => version === meant)?.version ?? null;
  }
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
