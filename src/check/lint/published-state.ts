// What is published of a package: its versions, the last one before the coming release, and the archive of that.
import { readPackage } from '../../domain/evidence/read-package.ts';
import { type PublishedVersions, releaseState } from '../../domain/lint/published-versions.ts';
import { onThread } from '../../threads/documents.ts';
import { threadTask } from '../../threads/task.ts';
import { type Listing, NotTold, type PackageSource } from '../packages/source.ts';

interface PublishedState {
  published: PublishedVersions;
  archive: { bytes: Uint8Array; version: string } | null;
  // Why the archive could not be had.
  missed: string | null;
}

interface Asked {
  name: string;
  // What the manifest, or the person, says is next.
  version: string | null;
  // The version to compare with; null for the last one.
  against: string | null;
}

// Only why, when the registry could not be asked.
export async function publishedState(
  source: PackageSource,
  { name, version, against }: Asked,
): Promise<PublishedState | { missed: string }> {
  let listing: Listing;
  try {
    listing = await source.listing({ ecosystem: 'npm', name });
  } catch (error) {
    if (!(error instanceof NotTold)) throw error;
    if (!error.isUnknown || against !== null) return { missed: `${name}: ${error.message}` };
    listing = { latest: null, tags: {}, versions: [] };
  }
  const versions = listing.versions.map((one) => one.version);
  const published = releaseState({ versions, latest: listing.latest, version });
  const wanted = against ?? published.last;
  const listed = listing.versions.find((one) => one.version === wanted);
  if (!listed)
    return wanted === null
      ? { published, archive: null, missed: null }
      : { missed: `${name} ${wanted} is not published` };
  try {
    const bytes = await source.archive({ ecosystem: 'npm', name }, listed);
    return { published, archive: { bytes, version: listed.version }, missed: null };
  } catch (error) {
    if (!(error instanceof NotTold)) throw error;
    return { published, archive: null, missed: `${name}: ${error.message}` };
  }
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
