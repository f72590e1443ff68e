// The archives of two versions, of the packages whose names they export, and of the declarations that others wrote for them.
import type { Needs } from '../../domain/evidence/beside.ts';
import { type BesideSource, gatherBeside } from '../../domain/evidence/gather-beside.ts';
import type { ListedVersion } from '../../domain/published-package.ts';
import { describeOnThread, type PackedPackage, packedBeside } from '../../threads/evidence.ts';
import { type Listing, NotTold, type PackageSource } from '../packages/source.ts';

export interface NamedPair {
  name: string;
  from: ListedVersion;
  to: ListedVersion;
  // The name of a private package is told to no other registry, so nobody is asked for its types.
  isPublic: boolean;
  // Whether a package that it needs may be asked for; else all of a public one, and none of a private one.
  mayName?: (needed: string) => boolean;
}

interface Side {
  archive: Uint8Array;
  needs: Needs;
  publishedAt: string | null;
}

export async function gatherPair(
  source: PackageSource,
  { name, from, to, isPublic, mayName }: NamedPair,
): Promise<{ old: PackedPackage; next: PackedPackage }> {
  const [old, next] = [await described(source, name, from), await described(source, name, to)];
  const beside = await gatherBeside(besideSource(source, { isPublic, mayName }), { old, next });
  return { old: packedBeside(old.archive, beside.old), next: packedBeside(next.archive, beside.next) };
}

async function described(source: PackageSource, name: string, listed: ListedVersion): Promise<Side> {
  const archive = await source.archive(name, listed);
  const { needs, refused } = await describeOnThread(archive);
  if (!needs) throw new NotTold(`the archive of ${listed.version} cannot be read: ${refused}`, '');
  return { archive, needs, publishedAt: listed.publishedAt };
}

function besideSource(
  source: PackageSource,
  { isPublic, mayName = () => isPublic }: Pick<NamedPair, 'isPublic' | 'mayName'>,
): BesideSource {
  const listing = (name: string) => source.listing({ ecosystem: 'npm', name }).catch(missing);
  return {
    versions: async (name) => (mayName(name) ? ((await listing(name))?.versions ?? []) : []),
    archive: (name, version) => source.archive(name, version).catch(missing),
    describe: async (archive) => (await describeOnThread(archive)).needs ?? null,
    mayAskForTypes: isPublic,
  };
}

// What cannot be had stays away: names that may come from it are no findings.
function missing(error: unknown): null {
  if (error instanceof NotTold) return null;
  throw error;
}

// The listed version that a person means: as published, with or without a leading v, or `latest`.
export function meantVersion({ latest, versions }: Listing, asked: string): ListedVersion | null {
  const wanted = asked === 'latest' ? latest : asked.replace(/^v(?=\d)/, '');
  return versions.find(({ version }) => version === wanted) ?? null;
}
