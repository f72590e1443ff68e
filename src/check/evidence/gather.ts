// The archives of two versions, of the packages whose names they export, and of the declarations that others wrote for them.
import type { Ecosystem, PackageName } from '../../domain/ecosystems/index.ts';
import type { Needs } from '../../domain/evidence/beside.ts';
import { type BesideSource, gatherBeside } from '../../domain/evidence/gather-beside.ts';
import type { ListedVersion } from '../../domain/published-package.ts';
import { taggedVersion } from '../../domain/upgrade/dist-tags.ts';
import { describeOnThread, type PackedPackage, packedBeside } from '../../threads/evidence.ts';
import { type Listing, NotTold, type PackageSource } from '../packages/source.ts';

export interface NamedPair extends PackageName {
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
  { ecosystem, name, from, to, isPublic, mayName }: NamedPair,
): Promise<{ old: PackedPackage; next: PackedPackage }> {
  const [old, next] = [
    await described(source, { ecosystem, name }, from),
    await described(source, { ecosystem, name }, to),
  ];
  const beside = await gatherBeside(besideSource(source, ecosystem, { isPublic, mayName }), { old, next });
  return {
    old: packedBeside(ecosystem, old.archive, beside.old),
    next: packedBeside(ecosystem, next.archive, beside.next),
  };
}

async function described(source: PackageSource, named: PackageName, listed: ListedVersion): Promise<Side> {
  const archive = await source.archive(named, listed);
  const { needs, refused, isLarge } = await describeOnThread({ ecosystem: named.ecosystem, archive });
  if (!needs) {
    const reason = `the archive of ${listed.version} cannot be read: ${refused}`;
    throw isLarge ? new TooLarge(reason, '') : new NotTold(reason, '');
  }
  return { archive, needs, publishedAt: listed.publishedAt };
}

// It was had, and is above the limits.
export class TooLarge extends NotTold {}

function besideSource(
  source: PackageSource,
  ecosystem: Ecosystem,
  { isPublic, mayName = () => isPublic }: Pick<NamedPair, 'isPublic' | 'mayName'>,
): BesideSource {
  const listing = (name: string) => source.listing({ ecosystem, name }).catch(missing);
  return {
    versions: async (name) => (mayName(name) ? ((await listing(name))?.versions ?? []) : []),
    archive: (name, version) => source.archive({ ecosystem, name }, version).catch(missing),
    describe: async (archive) => (await describeOnThread({ ecosystem, archive })).needs ?? null,
    mayAskForTypes: isPublic,
  };
}

// What cannot be had stays away: names that may come from it are no findings.
function missing(error: unknown): null {
  if (error instanceof NotTold) return null;
  throw error;
}

// The listed version that a person means: by a tag, or as published, with or without a leading v.
export function meantVersion({ latest, tags, versions }: Listing, asked: string): ListedVersion | null {
  const wanted = asked === 'latest' ? latest : (taggedVersion(tags, asked) ?? asked.replace(/^v(?=\d)/, ''));
  return versions.find(({ version }) => version === wanted) ?? null;
}
