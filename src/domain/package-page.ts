// Where package registries show a package to people.
import type { PackageName } from './upgrade/requested-package.ts';

// A scope and its name stay readable in the address.
export function packagePage({ ecosystem, name }: PackageName): string {
  return ecosystem === 'npm' ? `https://www.npmjs.com/package/${name}` : `https://pypi.org/project/${name}/`;
}

export function versionPage(named: PackageName, version: string): string {
  const page = packagePage(named);
  const encoded = encodeURIComponent(version);
  return named.ecosystem === 'npm' ? `${page}/v/${encoded}` : `${page}${encoded}/`;
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
