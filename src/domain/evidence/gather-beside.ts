// What stands beside both versions of a package while they are compared: the declarations of one that has none, and packages
// whose names it exports on, with those whose names these export on. A dependency is the same for both versions wherever both
// admit it, and so are the declarations of others wherever they serve both: what differs between their versions comes to people
// without this upgrade.
import type { ListedVersion } from '../published-package.ts';
import { type Needs, typesPackage, versionBeside } from './beside.ts';
import { admitsVersion } from './ranges.ts';

export interface BesideSource {
  versions(name: string): Promise<readonly ListedVersion[]>;
  // Null when it cannot be had: names that may come from it are no findings.
  archive(name: string, version: ListedVersion): Promise<Uint8Array | null>;
  describe(archive: Uint8Array): Promise<Needs | null>;
  // Whether others may be asked for its declarations; the name of a private package is told to nobody.
  mayAskForTypes: boolean;
}

// One package beside another one.
export interface BesidePackage {
  name: string;
  version: string;
  integrity: string | null;
  archive: Uint8Array;
}

interface Side {
  needs: Needs;
  publishedAt: string | null;
}

interface BesideSide {
  dependencies: BesidePackage[];
  types: BesidePackage | null;
}

const MAX_BESIDE = 16;

export async function gatherBeside(
  source: BesideSource,
  { old, next }: { old: Side; next: Side },
): Promise<{ old: BesideSide; next: BesideSide }> {
  const before = new Map(old.needs.dependencies.map(({ name, range }) => [name, range]));
  const after = await dependenciesOf(source, next, (name, range, versions) => {
    const other = before.get(name);
    const common = other === undefined ? [] : versions.filter(({ version }) => admitsVersion(other, version));
    return chosen(common, range, next.publishedAt) ?? chosen(versions, range, next.publishedAt);
  });
  const shared = new Map(after.map((one) => [one.name, one.version]));
  const own = await dependenciesOf(source, old, (name, range, versions) => {
    const known = versions.find(({ version }) => version === shared.get(name));
    return known && admitsVersion(range, known.version) ? known : chosen(versions, range, old.publishedAt);
  });
  const types = await typesOf(source, next);
  const isShared = types !== null && typesRange(old.needs) === typesRange(next.needs);
  return {
    old: { dependencies: own, types: isShared && needsTypes(source, old) ? types : await typesOf(source, old) },
    next: { dependencies: after, types },
  };
}

type Choice = (name: string, range: string, versions: readonly ListedVersion[]) => ListedVersion | null;

function chosen(versions: readonly ListedVersion[], range: string, at: string | null): ListedVersion | null {
  return versionBeside(versions, range, at) ?? versionBeside(versions, range, null);
}

async function dependenciesOf(source: BesideSource, { needs }: Side, choose: Choice): Promise<BesidePackage[]> {
  const waiting = [...needs.dependencies];
  const seen = new Set([needs.name]);
  const found: BesidePackage[] = [];
  for (const { name, range } of waiting) {
    if (seen.has(name) || found.length >= MAX_BESIDE) continue;
    seen.add(name);
    const beside = await fetched(source, name, choose(name, range, await source.versions(name)));
    if (beside === null) continue;
    found.push(beside);
    waiting.push(...((await source.describe(beside.archive))?.dependencies ?? []));
  }
  return found;
}

async function typesOf(source: BesideSource, side: Side): Promise<BesidePackage | null> {
  if (!needsTypes(source, side)) return null;
  const name = typesPackage(side.needs.name);
  return fetched(source, name, chosen(await source.versions(name), typesRange(side.needs), side.publishedAt));
}

function needsTypes({ mayAskForTypes }: BesideSource, { needs }: Side): boolean {
  return mayAskForTypes && !needs.hasTypes && !needs.name.startsWith('@types/');
}

// Their versions follow the major version of the package.
function typesRange({ version }: Needs): string {
  return `${/^\d+/.exec(version)?.[0] ?? '0'}.x`;
}

async function fetched(
  source: BesideSource,
  name: string,
  listed: ListedVersion | null,
): Promise<BesidePackage | null> {
  const archive = listed && (await source.archive(name, listed));
  return listed && archive ? { name, version: listed.version, integrity: listed.integrity, archive } : null;
}
