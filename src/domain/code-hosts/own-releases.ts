// Which releases of a repository are those of one package: a repository may publish many, each with versions of its own.
import { partOfPackage } from '../upgrade/requested-package.ts';
import { isPrerelease, parseVersion, versionIdentity, versionSort } from '../versions/index.ts';
import type { HostedRelease } from './documents.ts';

interface OwnRelease extends HostedRelease {
  // As the package is published.
  version: string;
}

interface PublishedPackage {
  name: string;
  // Where it lies in the repository; empty at its root.
  folder: string;
  // The versions that its registry lists.
  versions: readonly string[];
}

// How many of the plain tags have to be versions of the package. One that lies in a folder may share the repository with
// the package that the tags are about.
const SHARE = { root: 0.5, folder: 0.8 };

export function ownReleases(releases: readonly HostedRelease[], of: PublishedPackage): OwnRelease[] {
  const read = releases.flatMap((release) => {
    const parsed = parseVersion(release.tag);
    if (!parsed?.sortKey) return [];
    return [{ release: { ...release, version: versionOf(release.tag) }, part: parsed.packagePart }];
  });
  const part = partOfPackage([...new Set(read.flatMap((one) => one.part ?? []))], of);
  const own = read.filter((one) => one.part === part).map(({ release }) => release);
  return part !== null || areVersionsOf(own, of) ? own : [];
}

// `v1.2.3`, `release-1.2.3` and `kit@1.2.3` without what stands before the number.
function versionOf(tag: string): string {
  const identity = versionIdentity(tag);
  return identity.slice(identity.lastIndexOf('@') + 1).replace(/^[a-z-]*?v?(?=\d+\.)/, '');
}

function areVersionsOf(plain: readonly OwnRelease[], { folder, versions }: PublishedPackage): boolean {
  const listed = new Set(versions.map((version) => versionSort(version)));
  const stable = plain.filter(({ version }) => !isPrerelease(version));
  const judged = stable.length > 0 ? stable : plain;
  const own = judged.filter(({ version }) => listed.has(versionSort(version))).length;
  return own > 0 && own >= judged.length * (folder === '' ? SHARE.root : SHARE.folder);
}
