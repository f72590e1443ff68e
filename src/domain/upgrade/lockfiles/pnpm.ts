// pnpm-lock.yaml in its three spellings: `/name/1.0.0_peer`, `/name@1.0.0(peer)` and `name@1.0.0`.
import { blockLines } from './block-lines.ts';
import { PackageList } from './types.ts';

const DIRECT_BLOCKS = new Set(['dependencies', 'devDependencies', 'optionalDependencies']);

export function readPnpmLock(text: string): PackageList {
  const list = new PackageList('npm');
  const direct = new Map<string, Set<string>>();
  const locked: { name: string; version: string }[] = [];
  for (const { key, value, path } of blockLines(text)) {
    if (isDirectEntry(path)) noteDirect(direct, key, value);
    else if (isDirectEntry(path.slice(0, -1)) && key === 'version') noteDirect(direct, path.at(-1) ?? '', value);
    else if (path.length === 1 && path[0] === 'packages') {
      const found = pnpmPackage(key);
      if (found) locked.push(found);
    }
  }
  for (const { name, version } of locked) list.add(name, version, direct.get(name)?.has(version) ?? false);
  return list;
}

export function isDirectBlock(key: string): boolean {
  return DIRECT_BLOCKS.has(key);
}

// Direct dependencies are listed at the top level, or under `importers` and the folder of a workspace.
function isDirectEntry(path: readonly string[]): boolean {
  const inner = path[0] === 'importers' ? path.slice(2) : path;
  return inner.length === 1 && DIRECT_BLOCKS.has(inner[0] ?? '');
}

function noteDirect(direct: Map<string, Set<string>>, name: string, value: string): void {
  if (value === '') return;
  const found = pnpmPackage(value) ?? { name, version: bareVersion(value) };
  const versions = direct.get(found.name) ?? new Set();
  versions.add(found.version);
  direct.set(found.name, versions);
}

// The package of a key; null for keys of folders, repositories and archives.
export function pnpmPackage(key: string): { name: string; version: string } | null {
  const plain = bareVersion(key.startsWith('/') ? key.slice(1) : key);
  const at = plain.lastIndexOf('@');
  if (at > 0) return versioned(plain.slice(0, at), plain.slice(at + 1));
  const slash = plain.lastIndexOf('/');
  return slash > 0 ? versioned(plain.slice(0, slash), plain.slice(slash + 1)) : null;
}

function versioned(name: string, version: string): { name: string; version: string } | null {
  return /^\d/.test(version) && !name.includes(':') ? { name, version } : null;
}

// The version without the peer dependencies that are appended to it.
function bareVersion(text: string): string {
  const bracket = text.indexOf('(');
  const plain = bracket === -1 ? text : text.slice(0, bracket);
  const slash = plain.lastIndexOf('/');
  const underscore = plain.indexOf('_', Math.max(0, slash));
  // An underscore in a name is part of it; one behind a version begins the peers.
  return underscore > 0 && /^\d/.test(plain.slice(slash + 1)) ? plain.slice(0, underscore) : plain;
}
