// The published versions of a range against the notes that are stored. What a package registry lists is the measure: a
// version that nobody has notes of is named, and an answer that lacks one is never complete.
import { type Ecosystem, factsOfEcosystem } from '../ecosystems/index.ts';
import { isPrerelease } from '../versions/index.ts';
import { isBelow } from './bounds.ts';
import { type HistoryGaps, type HistoryInfo, isFresh } from './history.ts';
import type { KeyInterval, VersionRange } from './version-range.ts';

// At most this many versions without notes are named.
export const MAX_WITHOUT_NOTES = 50;

// A version as a package registry lists it.
export interface PublishedVersion {
  version: string;
  key: string;
  // Yanked, or listed before and gone now.
  withdrawn: boolean;
  isPrerelease: boolean;
  // A release with text is stored for it.
  noted: boolean;
}

// The part of a listing that lies in a range.
export interface PublishedRange {
  published: number;
  // Ascending, the lowest of them when there are more than can be named.
  withoutNotes: string[];
  withoutNotesCount: number;
  // The order keys of the lowest and the highest version without notes; null when all are noted.
  unnoted: { lowest: string; highest: string } | null;
  // The order keys of withdrawn versions.
  withdrawn: ReadonlySet<string>;
}

// `versions` rises by key. A version is published once, however many texts have its key (`1.0`, `1.0.0`).
export function publishedRange(versions: readonly PublishedVersion[], includesPrereleases: boolean): PublishedRange {
  const range = { published: 0, withoutNotes: [] as string[], withoutNotesCount: 0, withdrawn: new Set<string>() };
  let [lowest, highest] = ['', ''];
  // A hundred ranges of a call may have a thousand versions each.
  for (const { version, key, noted, withdrawn, isPrerelease } of versions) {
    if (isPrerelease && !includesPrereleases) continue;
    range.published += 1;
    if (withdrawn) range.withdrawn.add(key);
    if (noted) continue;
    if (range.withoutNotesCount === 0) lowest = key;
    highest = key;
    range.withoutNotesCount += 1;
    if (range.withoutNotes.length < MAX_WITHOUT_NOTES) range.withoutNotes.push(version);
  }
  return { ...range, unnoted: range.withoutNotesCount > 0 ? { lowest, highest } : null };
}

const NUMBERS_ALONE = /^\d+(?:\.\d+)*$/;

// Most versions are numbers alone, and a long listing is read with every question.
export function isPublishedPrerelease(version: string): boolean {
  return !NUMBERS_ALONE.test(version) && isPrerelease(version);
}

// A listing that was stored or confirmed longer ago says nothing about what is published today.
export function isListingCurrent(listedAt: string | null, now: Date): boolean {
  return isFresh(listedAt, now);
}

type StoredEnds = Pick<HistoryInfo, 'keys' | 'isEmpty' | 'lowest' | 'highest'>;

// What is missing, measured by a listing. A bound need not be stored: what counts are the versions between. A version above
// everything that is listed or stored has not been seen by anybody.
export function gapsByListing(
  { keys, isEmpty, lowest, highest }: StoredEnds,
  { unnoted }: Pick<PublishedRange, 'unnoted'>,
  highestListed: string | null,
): HistoryGaps {
  if (keys === null || isEmpty || highest === null || lowest === null) {
    return { ends: isEmpty, begins: false, missing: { from: false, to: false } };
  }
  const isBeyond = (key: string) => isBelow(highest, key) && (highestListed === null || isBelow(highestListed, key));
  return {
    ends: isBeyond(keys.to) || (unnoted !== null && isBelow(highest, unnoted.highest)),
    begins: unnoted !== null && isBelow(unnoted.lowest, lowest.key),
    missing: { from: isBeyond(keys.from) && !isBeyond(keys.to), to: false },
  };
}

interface ListedVersion {
  version: string;
  key: string;
  withdrawn: boolean;
}

// The version that `latest` means: the one that its author has tagged, or the highest stable version that was not taken back,
// as the ecosystem has it. Null when the listing does not tell.
export function latestPublished(
  ecosystem: Ecosystem,
  { tag, falling }: { tag: string | null; falling: readonly ListedVersion[] },
): string | null {
  if (tag !== null && factsOfEcosystem(ecosystem).hasTags) return tag;
  return falling.find(isInstallable)?.version ?? null;
}

// The highest stable version of a listing that a range admits; null when there is none.
export function highestPublished({ intervals }: VersionRange, falling: readonly ListedVersion[]): string | null {
  const admitted = (key: string) => intervals.some((interval) => isAdmitted(interval, key));
  return falling.find((one) => isInstallable(one) && admitted(one.key))?.version ?? null;
}

function isInstallable({ version, withdrawn }: ListedVersion): boolean {
  return !withdrawn && !isPublishedPrerelease(version);
}

function isAdmitted({ lower, upper, excluded }: KeyInterval, key: string): boolean {
  if (lower !== null && (isBelow(key, lower.key) || (key === lower.key && !lower.inclusive))) return false;
  if (upper !== null && (isBelow(upper.key, key) || (key === upper.key && !upper.inclusive))) return false;
  return !excluded.some(({ from, to }) => {
    return !isBelow(key, from.key) && (isBelow(key, to.key) || (key === to.key && to.inclusive));
  });
}
