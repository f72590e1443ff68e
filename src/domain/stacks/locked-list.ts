// The packages of a lockfile or manifest as a stack keeps them: names and versions, without what the public registries
// do not have.
import { type Ecosystem, isPossibleName, normalizePackageName, PUBLIC_PACKAGE_HOSTS } from '../ecosystems/index.ts';
import { objectOf, parseObject } from '../upgrade/lockfiles/json-text.ts';
import { readLockfile } from '../upgrade/lockfiles/read.ts';
import { readVersionRange } from '../upgrade/version-range.ts';

export interface StackedPackage {
  ecosystem: Ecosystem;
  package: string;
  version: string;
}

export interface LockedList {
  packages: StackedPackage[];
  // The name of the format.
  source: string;
  // How many packages were left out, because they come from no public registry or name no version.
  leftOut: number;
}

// Null for a text of no known format.
export function lockedList(file: { filename?: string; text: string }): LockedList | null {
  const read = readLockfile(file);
  if (read === null) return null;
  const hidden = privateNames(file.text);
  const kept = read.packages.filter(
    ({ source, ecosystem, name, version }) =>
      source === 'registry' &&
      isPossibleName(ecosystem, name) &&
      !hidden.has(name) &&
      !readVersionRange(version)?.isAny,
  );
  const packages = distinct(kept.map(({ ecosystem, name, version }) => ({ ecosystem, package: name, version })));
  return { packages, source: read.format, leftOut: read.packages.length - kept.length };
}

// Each version of a package once, in a fixed order.
export function distinct(packages: readonly StackedPackage[]): StackedPackage[] {
  const keyed = packages.map((one) => {
    const name = normalizePackageName(one.ecosystem, one.package);
    return [`${one.ecosystem}\n${name}\n${one.version}`, { ...one, package: name }] as const;
  });
  return [...new Map(keyed)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

// Packages that a lockfile says come from another registry than the public one. Their names are nobody else's business.

// Names as the lockfile writes them; empty where it names no addresses.
function privateNames(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const json = text.trimStart().startsWith('{') ? parseObject(text) : null;
  if (json) {
    for (const [folder, value] of Object.entries(objectOf(json.packages) ?? {}))
      note(found, nameIn(folder), objectOf(value)?.resolved);
    for (const [name, value] of Object.entries(objectOf(json.dependencies) ?? {}))
      note(found, name, objectOf(value)?.resolved);
    return found;
  }
  let name = '';
  for (const line of text.split('\n')) {
    name = YARN_HEAD.exec(line)?.[1] ?? PYTHON_NAME.exec(line)?.[1] ?? name;
    note(found, name, ADDRESS.exec(line)?.[1]);
  }
  return found;
}

const YARN_HEAD = /^"?((?:@[\w.~-]+\/)?[\w.~-]+)@/;
const PYTHON_NAME = /^name = "([^"]+)"/;
const ADDRESS = /(?:resolved|tarball:|registry = |url = )[ "]*(https?:\/\/[^"\s}]+)/;

function nameIn(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function note(found: Set<string>, name: string, address: unknown): void {
  if (name === '' || typeof address !== 'string' || !/^https?:/.test(address)) return;
  const host = URL.parse(address)?.host;
  if (host !== undefined && !PUBLIC_PACKAGE_HOSTS.has(host)) found.add(name);
}
