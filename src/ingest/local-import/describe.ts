// From a package on disk to the org and source that it belongs to.
import { type PackageMetadata, type PackageRepository, readRepository } from './package-metadata.ts';

export interface LocalPackage {
  // What the report calls it.
  label: string;
  metadata: PackageMetadata | null;
  // The changelog on disk; null when there is none.
  path: string | null;
  // Where the package lies in its repository, when the disk tells and the metadata does not.
  directory: string | null;
  // There is metadata, but nobody can read it.
  isBroken?: boolean;
}

// What a person has said on the command line, for packages that do not say it themselves.
export interface ImportHints {
  org?: string;
  name?: string;
  url?: string;
}

export interface OrgDescription {
  name: string;
  // The account on GitHub that the name is.
  github: string | null;
}

export type SourceDescription = {
  name: string;
  org: OrgDescription | null;
  // What the package calls itself, and the name under which it is installed; null for what is not published.
  packageName: string | null;
  npm: string | null;
} & (
  | { type: 'github'; repository: PackageRepository; url: string }
  // Null: there is no page but the one in this registry.
  | { type: 'scrape'; url: string | null }
);

// Null when neither the package nor the person says what it is called.
export function describeSource({ metadata, directory }: LocalPackage, given: ImportHints): SourceDescription | null {
  const name = metadata?.name ?? given.name;
  if (name === undefined || name === null) return null;
  const packageName = metadata?.name ?? null;
  const names = { packageName, npm: metadata?.isPrivate ? null : packageName };
  const found = metadata === null ? readRepository(given.url ?? '') : metadata.repository;
  if (found) {
    const repository = { ...found, directory: found.directory ?? directory };
    const url = `https://github.com/${found.owner}/${found.name}`;
    const owner = { name: found.owner, github: found.owner };
    if (metadata !== null) return { type: 'github', name: found.name, org: owner, ...names, repository, url };
    const org = given.org === undefined ? owner : { name: given.org, github: null };
    return { type: 'github', name, org, ...names, repository, url };
  }
  const page = metadata?.homepage ?? given.url ?? registryPage(names.npm);
  return { type: 'scrape', name, org: orgOf(metadata, given), ...names, url: page };
}

// Where a package has its page when it names no other.
export const REGISTRY_PAGE = 'https://www.npmjs.com/package/';

function registryPage(npm: string | null): string | null {
  return npm === null ? null : `${REGISTRY_PAGE}${npm}`;
}

function orgOf(metadata: PackageMetadata | null, given: ImportHints): OrgDescription | null {
  const name = metadata?.scope ?? metadata?.author ?? given.org;
  return name ? { name, github: null } : null;
}

// Of several copies of a package the one with the newest changelog, which is the one of the highest version.
export function newestCopies(
  packages: readonly LocalPackage[],
  isHigher: (a: string, b: string) => boolean,
): LocalPackage[] {
  const byName = new Map<string, LocalPackage>();
  for (const one of packages) {
    const key = one.metadata?.name ?? one.label;
    const other = byName.get(key);
    if (!other || isHigher(one.metadata?.version ?? '', other.metadata?.version ?? '')) byName.set(key, one);
  }
  return [...byName.values()];
}

// How many packages of one import come from each repository.
export function repositoryShares(packages: readonly LocalPackage[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { metadata } of packages) {
    const coordinate = metadata?.repository?.coordinate;
    if (coordinate !== undefined) shares.set(coordinate, (shares.get(coordinate) ?? 0) + 1);
  }
  return shares;
}
