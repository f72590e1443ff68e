// The archives of two versions, of the packages whose names they export, and of the declarations that others wrote for them.
import type { Needs } from '../../../domain/evidence/beside.ts';
import { type BesideSource, gatherBeside } from '../../../domain/evidence/gather-beside.ts';
import type { ListedVersion } from '../../../domain/published-package.ts';
import { describeOnThread, type PackedPackage, packedBeside } from '../../../threads/evidence.ts';
import { CommandFailure } from '../../command.ts';
import type { Listing, PackageSource } from './package-source.ts';

interface Side {
  archive: Uint8Array;
  needs: Needs;
  publishedAt: string | null;
}

export async function gatherPair(
  source: PackageSource,
  pair: { from: ListedVersion; to: ListedVersion },
): Promise<{ old: PackedPackage; next: PackedPackage }> {
  const [old, next] = [await described(source, pair.from), await described(source, pair.to)];
  const beside = await gatherBeside(besideSource(source), { old, next });
  return { old: packedBeside(old.archive, beside.old), next: packedBeside(next.archive, beside.next) };
}

async function described(source: PackageSource, listed: ListedVersion): Promise<Side> {
  const archive = await source.archive(listed);
  const { needs, refused } = await describeOnThread(archive);
  if (!needs) throw new CommandFailure(`the archive of ${listed.version} cannot be read: ${refused}`);
  return { archive, needs, publishedAt: listed.publishedAt };
}

function besideSource(source: PackageSource): BesideSource {
  return {
    versions: async (name) => (await source.listing(name).catch(missing))?.versions ?? [],
    archive: (_, version) => source.archive(version).catch(missing),
    describe: async (archive) => (await describeOnThread(archive)).needs ?? null,
    mayAskForTypes: true,
  };
}

function missing(error: unknown): null {
  if (error instanceof CommandFailure) return null;
  throw error;
}

// The listed version that a person means: as published, with or without a leading v, or `latest`.
export function meantVersion({ latest, versions }: Listing, asked: string): ListedVersion | null {
  const wanted = asked === 'latest' ? latest : asked.replace(/^v(?=\d)/, '');
  return versions.find(({ version }) => version === wanted) ?? null;
}
