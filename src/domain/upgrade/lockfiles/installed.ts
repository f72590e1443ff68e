// What a project without a lockfile has: its manifests say what it names, its folder of installed packages in which versions.
import { readVersionRange } from '../version-range.ts';
import { objectOf, parseObject } from './json-text.ts';
import { elsewhere, manifestNeeds, readNpmRange } from './npm-specs.ts';
import type { Lockfile, ProjectManifest } from './read.ts';
import { PackageList } from './types.ts';

export interface InstalledLockfile extends Lockfile {
  // Dependencies that are not installed, taken in the lowest version that the manifest admits.
  assumed: number;
  // Dependencies whose version nobody tells.
  unread: number;
}

// The version that is installed for a workspace under a name; null where none is.
type VersionAt = (workspace: string, installedAs: string) => string | null;

// Null without a manifest of npm.
export function readInstalled(manifests: readonly ProjectManifest[], versionAt: VersionAt): InstalledLockfile | null {
  const parsed = manifests.flatMap(({ path, text }) => {
    const folder = /^(?:(.*)\/)?package\.json$/.exec(path);
    const json = folder ? parseObject(text) : null;
    return json ? [{ workspace: folder?.[1] ?? '', json }] : [];
  });
  if (!parsed.some(({ workspace }) => workspace === '')) return null;
  const own = new Set(parsed.map(({ json }) => json.name));
  const list = new PackageList('npm');
  const counts = { assumed: 0, unread: 0 };
  for (const { workspace, json } of parsed) {
    for (const { installedAs, spec, dev, optional } of manifestNeeds(workspace, json)) {
      if (own.has(installedAs)) continue;
      const kind = { dev, optional };
      const other = elsewhere(spec);
      const named = other ? null : readNpmRange(installedAs, spec);
      const version = versionAt(workspace, installedAs);
      const assumed = version === null && named && !isPeerAlone(json, installedAs) ? lowestOf(named.range) : null;
      if (version === null && isPeerAlone(json, installedAs)) continue;
      const locked = other
        ? list.add(installedAs, version ?? other.ref, { ...kind, ...other })
        : list.add(named?.name ?? installedAs, version ?? assumed, kind);
      if (locked === null) counts.unread += 1;
      else {
        list.name(workspace, installedAs, locked);
        if (assumed !== null) counts.assumed += 1;
      }
    }
  }
  list.knowsDirect();
  return {
    format: 'package.json',
    packages: list.packages,
    direct: list.direct,
    truncated: list.truncated,
    ...counts,
  };
}

// A peer that is not installed is somebody else's to choose.
function isPeerAlone(json: Record<string, unknown>, name: string): boolean {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].every((block) => {
    return objectOf(json[block])?.[name] === undefined;
  });
}

function lowestOf(range: string): string | null {
  const read = readVersionRange(range);
  return read === null || read.isAny ? null : read.lowest;
}
