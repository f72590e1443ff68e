import type { SchemeSetting } from './numbers.ts';
import { compareVersionKeys, schemeOfKey } from './sort-key.ts';

export type VersionedRelease = {
  id: string;
  version: string | null;
  versionSort: string | null;
  packagePart: string | null;
  prerelease: boolean;
  publishedAt: string | null;
  fetchedAt: string;
};

/**
 * The version a source is at. The newest stable release chooses package part and scheme, the highest key among its like
 * is the answer: a backport does not lower it, and a stray date tag counts only while it is itself the newest.
 */
export function latestVersion(releases: Iterable<VersionedRelease>, setting: SchemeSetting = 'auto'): string | null {
  const versioned = [...releases].filter((release) => release.version !== null && release.version !== '');
  const stable = versioned.filter((release) => !release.prerelease);
  const pool = stable.length > 0 ? stable : versioned;
  const newest = greatest(pool, compareAge);
  if (newest === undefined || newest.versionSort === null) return newest?.version ?? null;

  const scheme = schemeOfKey(newest.versionSort, setting);
  const peers = pool.filter(
    ({ packagePart, versionSort }) =>
      packagePart === newest.packagePart && versionSort !== null && schemeOfKey(versionSort, setting) === scheme,
  );
  return greatest(peers, compareVersion)?.version ?? null;
}

// Feed order: dated before undated, then by publication, arrival and id.
function compareAge(a: VersionedRelease, b: VersionedRelease): number {
  return (
    compareText(a.publishedAt ?? '', b.publishedAt ?? '') ||
    compareText(a.fetchedAt, b.fetchedAt) ||
    compareText(a.id, b.id)
  );
}

function compareVersion(a: VersionedRelease, b: VersionedRelease): number {
  return (
    compareVersionKeys(a.versionSort ?? '', b.versionSort ?? '') ||
    compareText(a.publishedAt ?? '', b.publishedAt ?? '') ||
    compareText(a.id, b.id)
  );
}

function greatest<T>(items: readonly T[], compare: (a: T, b: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (best, item) => (best === undefined || compare(item, best) > 0 ? item : best),
    undefined,
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
