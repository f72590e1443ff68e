// The archives of a version, of the packages whose names it exports, and of the declarations that others wrote for it.
import { type Needs, typesPackage, versionBeside } from '../../../domain/evidence/beside.ts';
import type { ListedVersion } from '../../../domain/published-package.ts';
import { describeOnThread, type PackedPackage } from '../../../threads/evidence.ts';
import { CommandFailure } from '../../command.ts';
import type { Listing, PackageSource } from './package-source.ts';

// Packages export names of packages that export names of others.
const MOST_BESIDE = 16;

interface Side {
  archive: Uint8Array;
  needs: Needs;
  publishedAt: string | null;
}

// Both versions of a package. A dependency that both ask for in the same words is the same for both: what differs between its
// versions comes to people without this upgrade.
export async function gatherPair(
  source: PackageSource,
  pair: { from: ListedVersion; to: ListedVersion },
): Promise<{ old: PackedPackage; next: PackedPackage }> {
  const [from, to] = [await described(source, pair.from), await described(source, pair.to)];
  const shared = new Map<string, Promise<Uint8Array | null>>();
  const next = await packed(source, to, shared);
  return { old: await packed(source, from, shared), next };
}

async function described(source: PackageSource, listed: ListedVersion): Promise<Side> {
  const archive = await source.archive(listed);
  const { needs, refused } = await describeOnThread(archive);
  if (!needs) throw new CommandFailure(`the archive of ${listed.version} cannot be read: ${refused}`);
  return { archive, needs, publishedAt: listed.publishedAt };
}

type Shared = Map<string, Promise<Uint8Array | null>>;

async function packed(source: PackageSource, side: Side, shared: Shared): Promise<PackedPackage> {
  return {
    archive: side.archive,
    dependencies: await gatherDependencies(source, side, shared),
    types: side.needs.hasTypes ? null : await gatherTypes(source, side),
  };
}

async function gatherDependencies(
  source: PackageSource,
  { needs, publishedAt }: Side,
  shared: Shared,
): Promise<Uint8Array[]> {
  const waiting = [...needs.dependencies];
  const seen = new Set([needs.name]);
  const found: Uint8Array[] = [];
  for (const { name, range } of waiting) {
    if (seen.has(name) || found.length >= MOST_BESIDE) continue;
    seen.add(name);
    const key = `${name} ${range}`;
    const asked = shared.get(key) ?? archiveBeside(source, { name, range, publishedAt });
    shared.set(key, asked);
    const archive = await asked;
    if (archive === null) continue;
    found.push(archive);
    const inside = await describeOnThread(archive);
    waiting.push(...(inside.needs?.dependencies ?? []));
  }
  return found;
}

// Their versions follow the major version of the package.
async function gatherTypes(source: PackageSource, { needs, publishedAt }: Side): Promise<Uint8Array | null> {
  const { name, version } = needs;
  if (name.startsWith('@types/')) return null;
  const range = `${/^\d+/.exec(version)?.[0] ?? '0'}.x`;
  return archiveBeside(source, { name: typesPackage(name), range, publishedAt });
}

interface Wanted {
  name: string;
  range: string;
  publishedAt: string | null;
}

// What cannot be had stays away: names that may come from it are no findings.
async function archiveBeside(source: PackageSource, { name, range, publishedAt }: Wanted): Promise<Uint8Array | null> {
  try {
    const listing = await source.listing(name);
    const chosen =
      listing && (versionBeside(listing.versions, range, publishedAt) ?? versionBeside(listing.versions, range, null));
    return chosen ? await source.archive(chosen) : null;
  } catch (error) {
    if (error instanceof CommandFailure) return null;
    throw error;
  }
}

// The listed version that a person means: as published, with or without a leading v, or `latest`.
export function meantVersion({ latest, versions }: Listing, asked: string): ListedVersion | null {
  const wanted = asked === 'latest' ? latest : asked.replace(/^v(?=\d)/, '');
  return versions.find(({ version }) => version === wanted) ?? null;
}
