import { compareVersionKeys } from '../../domain/versions/index.ts';

export interface DatedVersion {
  day: string;
  feed_at: string;
  version: string | null;
  version_sort: string | null;
  prerelease: number;
}

export interface VersionSpan {
  earliestVersion: string | null;
  latestVersion: string | null;
}

// Lowest and highest stable version; where none has an order, the first and the last by date.
export function versionSpan(releases: readonly DatedVersion[]): VersionSpan {
  const stable = releases.filter((release) => release.prerelease === 0 && release.version !== null);
  const ordered = stable.filter((release) => release.version_sort !== null);
  const sorted =
    ordered.length > 0
      ? ordered.sort((a, b) => compareVersionKeys(a.version_sort ?? '', b.version_sort ?? '') || byDate(a, b))
      : stable.sort(byDate);
  return { earliestVersion: sorted.at(0)?.version ?? null, latestVersion: sorted.at(-1)?.version ?? null };
}

function byDate(a: DatedVersion, b: DatedVersion): number {
  return a.feed_at < b.feed_at ? -1 : a.feed_at > b.feed_at ? 1 : 0;
}
