// Where package registries show a package to people.
import { factsOfEcosystem, type PackageName } from './ecosystems/index.ts';

export function packagePage({ ecosystem, name }: PackageName): string {
  return factsOfEcosystem(ecosystem).packagePage(name);
}

export function versionPage({ ecosystem, name }: PackageName, version: string): string {
  return factsOfEcosystem(ecosystem).versionPage(name, version);
}

// What a source on the page of a package is pinned to: the page itself is never read.
export const PACKAGE_PARSER = 'package';

interface PinnedSource {
  type: string;
  parser: string | null;
  feed_url: string | null;
  github_coordinate: string | null;
}

export function isPackagePage({ type, parser, feed_url, github_coordinate }: PinnedSource): boolean {
  return type === 'scrape' && parser === PACKAGE_PARSER && feed_url === null && github_coordinate === null;
}
