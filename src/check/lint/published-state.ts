// What is published of a package: its versions, the last one before the coming release, and the archive of that.
import { readPackage } from '../../domain/evidence/read-package.ts';
import { keyOfVersion } from '../../domain/lint/published-versions.ts';
import type { ListedVersion } from '../../domain/published-package.ts';
import { compareVersionKeys, isPrerelease } from '../../domain/versions/index.ts';
import { onThread } from '../../threads/documents.ts';
import { threadTask } from '../../threads/task.ts';
import { type Listing, NotTold, type PackageSource } from '../packages/source.ts';

export interface PublishedState {
  versions: string[];
  // The last published version; null for a package that was never published.
  last: string | null;
  archive: { bytes: Uint8Array; version: string } | null;
  // Why something is not known.
  missed: string | null;
}

const NEVER: PublishedState = { versions: [], last: null, archive: null, missed: null };

interface Asked {
  name: string;
  // What the manifest, or the person, says is next.
  version: string | null;
  // The version to compare with; null for the last one.
  against: string | null;
}

// Null when the registry could not be asked.
export async function publishedState(
  source: PackageSource,
  { name, version, against }: Asked,
): Promise<PublishedState | { missed: string; versions?: never }> {
  let listing: Listing;
  try {
    listing = await source.listing({ ecosystem: 'npm', name });
  } catch (error) {
    if (!(error instanceof NotTold)) throw error;
    return error.isUnknown && against === null ? NEVER : { missed: `${name}: ${error.message}` };
  }
  const versions = listing.versions.map((one) => one.version);
  const last = lastBefore(listing, version);
  const wanted = against === null ? last : (listing.versions.find((one) => one.version === against) ?? null);
  if (wanted === null) {
    return against === null ? { ...NEVER, versions } : { missed: `${name} ${against} is not published` };
  }
  const state = { versions, last: (last ?? wanted).version };
  try {
    const bytes = await source.archive(name, wanted);
    return { ...state, archive: { bytes, version: wanted.version }, missed: null };
  } catch (error) {
    if (!(error instanceof NotTold)) throw error;
    return { ...state, archive: null, missed: `${name}: ${error.message}` };
  }
}

// The version itself when it is out, else the highest below it, so that an older line is compared with itself.
function lastBefore({ versions, latest }: Listing, version: string | null): ListedVersion | null {
  const tagged = versions.find((one) => one.version === latest) ?? null;
  const same = versions.find((one) => one.version === version);
  const key = keyOfVersion(version);
  if (same || key === null) return same ?? tagged;
  const isPre = isPrerelease(version);
  const below = versions.filter((one) => {
    const other = keyOfVersion(one.version);
    return other !== null && compareVersionKeys(other, key) < 0 && (isPre || !isPrerelease(one.version));
  });
  return below.reduce<ListedVersion | null>((most, one) => {
    const isHigher =
      most === null || compareVersionKeys(keyOfVersion(one.version) ?? '', keyOfVersion(most.version) ?? '') > 0;
    return isHigher ? one : most;
  }, null);
}

export async function namedArchive(
  archive: Uint8Array,
): Promise<{ name: string; version: string } | { refused: string }> {
  const { files, refused } = await readPackage(archive);
  return files ? { name: files.name, version: files.version } : { refused };
}

const NAMED = threadTask(import.meta.url, namedArchive);

export function nameOfArchive(archive: Uint8Array, signal: AbortSignal) {
  return onThread(NAMED, archive, signal);
}
