import type { Ecosystem } from '../../published-package.ts';

// Where a package comes from. Only a package of a registry has versions that others know.
export const PACKAGE_SOURCES = ['registry', 'git', 'file', 'link', 'url'] as const;
export type PackageSource = (typeof PACKAGE_SOURCES)[number];

// One installed copy: a package in one version, however often it is installed.
export interface LockedPackage {
  ecosystem: Ecosystem;
  name: string;
  // A version, or the range when the file pins no version.
  version: string;
  // Whether the project itself names the package; null when the file does not say.
  direct: boolean | null;
  // Whether only development needs it; null when the file does not say.
  dev: boolean | null;
  // Whether it may be missing, because only optional dependencies need it; null when the file does not say.
  optional: boolean | null;
  source: PackageSource;
  // The commit, folder or archive of a package that comes from no registry.
  ref: string | null;
  // The folders in which it is installed, as far as the file names them.
  places: string[];
  // The names other than its own under which the project installs it.
  as: string[];
}

// A package that the project or one of its workspaces names, under the name by which it is installed there.
export interface DirectDependency {
  workspace: string;
  installedAs: string;
  locked: LockedPackage;
}

export interface LockedPackages {
  packages: readonly LockedPackage[];
  direct: readonly DirectDependency[];
}

interface CopyDetails {
  place?: string;
  source?: PackageSource;
  ref?: string | null;
  dev?: boolean | null;
  optional?: boolean | null;
}

// Bounds the memory that a hostile file can take.
export const MAX_PACKAGES = 20_000;
const MAX_NAME_LENGTH = 214;
const MAX_VERSION_LENGTH = 200;
const MAX_REF_LENGTH = 1000;

// Collects distinct copies up to the bound.
export class PackageList implements LockedPackages {
  readonly packages: LockedPackage[] = [];
  readonly direct: DirectDependency[] = [];
  truncated = false;
  readonly #seen = new Map<string, LockedPackage>();
  readonly #ecosystem: Ecosystem;

  constructor(ecosystem: Ecosystem) {
    this.#ecosystem = ecosystem;
  }

  // The copy; null for a text that names none, and behind the bound.
  add(name: unknown, version: unknown, details: CopyDetails = {}): LockedPackage | null {
    if (typeof name !== 'string' || typeof version !== 'string') return null;
    if (!isName(name) || version === '' || version.length > MAX_VERSION_LENGTH) return null;
    const { place, source = 'registry', ref = null, dev = null, optional = null } = details;
    const kept = source === 'registry' ? null : (ref ?? '').slice(0, MAX_REF_LENGTH);
    const key = `${name}\n${version}\n${source}\n${kept}`;
    const known = this.#seen.get(key);
    if (known) {
      // The same copy may be installed again, where more depends on it.
      if (dev !== true) known.dev = dev ?? known.dev;
      if (optional !== true) known.optional = optional ?? known.optional;
      if (place !== undefined) known.places.push(place);
      return known;
    }
    if (this.packages.length >= MAX_PACKAGES) {
      this.truncated = true;
      return null;
    }
    const found: LockedPackage = {
      ecosystem: this.#ecosystem,
      name,
      version,
      direct: null,
      dev,
      optional,
      source,
      ref: kept,
      places: place === undefined ? [] : [place],
      as: [],
    };
    this.#seen.set(key, found);
    this.packages.push(found);
    return found;
  }

  // Notes that a workspace of the project names the copy.
  name(workspace: string, installedAs: string, locked: LockedPackage): void {
    locked.direct = true;
    if (installedAs !== locked.name && !locked.as.includes(installedAs)) locked.as.push(installedAs);
    this.direct.push({ workspace, installedAs, locked });
  }

  // Says that all direct dependencies are named, so that every other package is indirect.
  knowsDirect(): void {
    for (const locked of this.packages) locked.direct ??= false;
  }
}

const NAME = /^(?:@[\w.~-]+\/)?[\w.~-]+$/;

export function isName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && NAME.test(text);
}
