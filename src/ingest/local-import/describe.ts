// From a package on disk to the org and source that it belongs to.
import { IMPORTED_ECOSYSTEM } from '../../domain/ecosystems/index.ts';
import { packagePage } from '../../domain/package-page.ts';
import { type PackageMetadata, type PackageRepository, readRepository } from './package-metadata.ts';

export interface LocalPackage {
  // The name in the report.
  label: string;
  metadata: PackageMetadata | null;
  // The changelog on disk; null when there is none.
  path: string | null;
  // The real path of the folder that its files must lie in; null for a file that a person has named.
  root: string | null;
  // The folder of the package in its repository, when the disk shows it and the metadata does not.
  directory: string | null;
  // The metadata cannot be parsed.
  isBroken?: boolean;
}

// Command line options for packages that do not state these values themselves.
export interface ImportHints {
  org?: string;
  name?: string;
  url?: string;
}

export interface OrgDescription {
  name: string;
  // The GitHub account of the org.
  github: string | null;
}

export type SourceDescription = {
  name: string;
  org: OrgDescription | null;
  // The package name in its registry; null for a package that is not published.
  packageName: string | null;
  npm: string | null;
} & (
  | { type: 'github'; repository: PackageRepository; url: string }
  // Null when the only page is the one in this registry.
  | { type: 'scrape'; url: string | null }
);

// Null when neither the package nor the command line states a name.
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

// The address of a package without another page.
export const REGISTRY_PAGE = packagePage({ ecosystem: IMPORTED_ECOSYSTEM, name: '' });

function registryPage(npm: string | null): string | null {
  return npm === null ? null : `${REGISTRY_PAGE}${npm}`;
}

function orgOf(metadata: PackageMetadata | null, given: ImportHints): OrgDescription | null {
  const name = metadata?.scope ?? metadata?.author ?? given.org;
  return name ? { name, github: null } : null;
}

// Of several copies of a package the one with the highest version, which has the newest changelog. When that one was published
// without its changelog, the newest other that has one lends it.
export function newestCopies(
  packages: readonly LocalPackage[],
  isHigher: (a: string, b: string) => boolean,
): LocalPackage[] {
  const copies = Map.groupBy(packages, ({ metadata, label }) => metadata?.name ?? label);
  const highest = (some: readonly LocalPackage[]) =>
    some.reduce((best, one) => (isHigher(one.metadata?.version ?? '', best.metadata?.version ?? '') ? one : best));
  return [...copies.values()].map((all) => {
    const newest = highest(all);
    const told = all.filter(({ path }) => path !== null);
    if (newest.path !== null || told.length === 0) return newest;
    const { path, root } = highest(told);
    return { ...newest, path, root };
  });
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
