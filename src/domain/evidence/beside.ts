// What has to stand beside a package so that its API can be seen: packages whose names it exports as its own, and the
// declarations that others wrote for it.
import type { ListedVersion } from '../published-package.ts';
import { compareVersionKeys, isPrerelease, versionSort } from '../versions/index.ts';
import { admitsVersion } from './ranges.ts';

export interface Needs {
  name: string;
  version: string;
  // Who imports the package finds declarations in it.
  hasTypes: boolean;
  // Ranges by name.
  dependencies: { name: string; range: string }[];
}

// The package with the declarations for one that has none: `@types/acme__forms` for `@acme/forms`.
export function typesPackage(name: string): string {
  return `@types/${name.replace(/^@([^/]+)\//, '$1__')}`;
}

// The highest version in a range that was published when the package was.
export function versionBeside(
  versions: readonly ListedVersion[],
  range: string,
  publishedAt: string | null,
): ListedVersion | null {
  const fitting = versions.filter((one) => {
    if (one.withdrawn || one.tarballUrl === null || !admitsVersion(range, one.version)) return false;
    return publishedAt === null || one.publishedAt === null || one.publishedAt <= publishedAt;
  });
  const stable = fitting.filter(({ version }) => !isPrerelease(version));
  return (stable.length > 0 ? stable : fitting).reduce<ListedVersion | null>((best, one) => {
    return best === null || isHigher(one.version, best.version) ? one : best;
  }, null);
}

function isHigher(a: string, b: string): boolean {
  const [key, other] = [versionSort(a), versionSort(b)];
  return key !== null && (other === null || compareVersionKeys(key, other) > 0);
}
