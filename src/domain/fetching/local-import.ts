// Whether a local import may write into a source that exists already.

interface ImportTarget {
  lastPolledAt: string | null;
  lastFetchedAt: string | null;
  isPaused: boolean;
  // A lookup has created it and nobody has added it since.
  isUnlisted: boolean;
  // It has releases, and all of them are from changelog files.
  hasOnlyChangelogReleases: boolean;
}

// What stands on a disk may say anything about itself, while a fetched source says what its address says. A source that is
// due for its first fetch belongs to an import when it holds what an import has written.
export function isFetchedFromElsewhere(source: ImportTarget): boolean {
  if (source.lastPolledAt !== null || source.lastFetchedAt !== null || source.isUnlisted) return true;
  return !source.isPaused && !source.hasOnlyChangelogReleases;
}
