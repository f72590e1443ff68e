// pnpm-lock.yaml in its three spellings: `/name/1.0.0_peer`, `/name@1.0.0(peer)` and `name@1.0.0`.
import { blockLines } from './block-lines.ts';
import { shortRef } from './npm.ts';
import { elsewhere } from './npm-specs.ts';
import { type LockedNode, markReach } from './reach.ts';
import { type LockedPackage, PackageList } from './types.ts';

const DIRECT_BLOCKS = new Set(['dependencies', 'devDependencies', 'optionalDependencies']);
const NEED_BLOCKS = new Set(['dependencies', 'optionalDependencies']);

interface PnpmEntry {
  fields: Map<string, string>;
  needs: { name: string; value: string; optional: boolean }[];
}

interface PnpmNeed {
  workspace: string;
  name: string;
  block: string;
  value: string;
}

export function readPnpmLock(text: string): PackageList {
  const packages = new Map<string, PnpmEntry>();
  const snapshots = new Map<string, PnpmEntry>();
  const direct: PnpmNeed[] = [];
  const workspaces = new Set<string>();
  const own = new Set<string>();
  for (const { key, value, path } of blockLines(text)) {
    const [top] = path;
    if (top === 'packages' || top === 'snapshots')
      noteEntry(top === 'packages' ? packages : snapshots, path, key, value);
    else if (top === 'importers' && path.length === 1) workspaces.add(key);
    else if (value.startsWith('workspace:')) own.add(ownKey(path, key));
    else {
      const need = directNeed(path, key, value);
      if (need) direct.push(need);
    }
  }
  const list = new PackageList('npm');
  const copies = new Map<string, LockedPackage>();
  // Some keys of repositories do not name the package, but those that depend on it do.
  const names = new Map(
    [...direct, ...[...packages.values(), ...snapshots.values()].flatMap(({ needs }) => needs)].map((need) => [
      need.value,
      need.name,
    ]),
  );
  for (const [key, entry] of packages) {
    const locked = pnpmCopy(list, key, { name: names.get(key), ...Object.fromEntries(entry.fields) });
    if (locked) copies.set(key, locked);
  }
  // The latest form keeps the dependencies apart, once for each choice of peers.
  const nodes = new Map<string, LockedNode>();
  for (const key of new Set([...packages.keys(), ...snapshots.keys()])) {
    const locked = copies.get(key) ?? copies.get(withoutPeers(key));
    if (locked) nodes.set(key, { locked, needs: [] });
  }
  for (const [key, entry] of [...packages, ...snapshots]) {
    for (const { name, value, optional } of entry.needs) {
      const node = nodeOf(nodes, name, value);
      if (node !== null) nodes.get(key)?.needs.push({ node, optional });
    }
  }
  nameDirect(list, { direct, nodes, workspaces, own });
  list.knowsDirect();
  if (![...packages.values()].some(({ fields }) => fields.has('dev'))) markDev(nodes, direct);
  return list;
}

function noteEntry(entries: Map<string, PnpmEntry>, path: readonly string[], key: string, value: string): void {
  if (path.length === 1) entries.set(key, { fields: new Map(), needs: [] });
  const entry = entries.get(path[1] ?? '');
  if (path.length === 2 && value !== '') entry?.fields.set(key, value);
  const block = path[2] ?? '';
  if (path.length === 3 && NEED_BLOCKS.has(block)) {
    entry?.needs.push({ name: key, value, optional: block === 'optionalDependencies' });
  }
}

// The workspace and the name of a line such as `specifier: workspace:*` in the block of a dependency, or of `name:
// workspace:*` among the specifiers of the oldest form.
function ownKey(path: readonly string[], key: string): string {
  const workspace = path[0] === 'importers' ? (path[1] ?? '') : '.';
  return `${workspace}\n${key === 'specifier' ? path.at(-1) : key}`;
}

export function isDirectBlock(key: string): boolean {
  return DIRECT_BLOCKS.has(key);
}

// Direct dependencies are listed at the top level, or under `importers` and the folder of a workspace; either as
// `name: version` or as a block with its `version`.
function directNeed(path: readonly string[], key: string, value: string): PnpmNeed | null {
  const isImporter = path[0] === 'importers';
  const workspace = isImporter ? (path[1] ?? '') : '.';
  const [block = '', name, ...rest] = isImporter ? path.slice(2) : path;
  if (!DIRECT_BLOCKS.has(block) || value === '' || rest.length > 0) return null;
  if (name === undefined) return { workspace, name: key, block, value };
  return key === 'version' ? { workspace, name, block, value } : null;
}

interface PnpmDirect {
  direct: readonly PnpmNeed[];
  nodes: ReadonlyMap<string, LockedNode>;
  workspaces: ReadonlySet<string>;
  // What is named as a workspace, with the workspace that names it.
  own: ReadonlySet<string>;
}

function nameDirect(list: PackageList, { direct, nodes, workspaces, own }: PnpmDirect): void {
  for (const { workspace, name, value, block } of direct) {
    const node = nodeOf(nodes, name, value);
    const isOwn =
      workspaces.has(folderFrom(workspace, value.slice('link:'.length))) || own.has(`${workspace}\n${name}`);
    const details = { dev: block === 'devDependencies', optional: block === 'optionalDependencies' };
    const locked =
      node !== null
        ? nodes.get(node)?.locked
        : value.startsWith('link:') && !isOwn
          ? list.add(name, value.slice(0, 200), { source: 'link', ref: value, ...details })
          : null;
    if (locked) list.name(workspace, name, locked);
  }
}

function markDev(nodes: ReadonlyMap<string, LockedNode>, direct: readonly PnpmNeed[]): void {
  const roots = direct.flatMap(({ name, value, block }) => {
    const node = nodeOf(nodes, name, value);
    if (node === null) return [];
    return [{ node, dev: block === 'devDependencies', optional: block === 'optionalDependencies' }];
  });
  markReach(nodes, roots);
}

// A folder, given from a workspace, as it is seen from the project.
function folderFrom(workspace: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${workspace}/${path}`.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/') || '.';
}

// The entry that a dependency means; its value is a version, or the key of another package for an alias.
function nodeOf(nodes: ReadonlyMap<string, LockedNode>, name: string, value: string): string | null {
  const spellings = [`${name}@${value}`, `/${name}@${value}`, `/${name}/${value}`, value, `/${value}`];
  return spellings.find((key) => nodes.has(key)) ?? null;
}

type PnpmFields = Partial<Record<'name' | 'version' | 'resolution' | 'dev' | 'optional', string>>;

function pnpmCopy(list: PackageList, key: string, fields: PnpmFields): LockedPackage | null {
  const details = fields.dev === undefined ? {} : { dev: fields.dev === 'true', optional: fields.optional === 'true' };
  const found = pnpmPackage(key);
  if (found) return list.add(found.name, found.version, details);
  const address = addressIn(key, fields.resolution ?? '');
  const name = fields.name ?? nameIn(key);
  const other = elsewhere(address);
  if (other) return list.add(name, fields.version ?? shortRef(other.ref), { ...details, ...other });
  return list.add(name, fields.version, details);
}

// The address of a package that is no version of a registry, from its key or from its resolution.
function addressIn(key: string, resolution: string): string {
  const value = (name: string) => new RegExp(`\\b${name}: '?([^,'}\\s]+)`).exec(resolution)?.[1];
  const [repository, commit] = [value('repo'), value('commit')];
  if (repository && commit) return `git+${repository.replace(/^git\+/, '')}#${commit}`;
  const folder = value('directory');
  if (folder) return `file:${folder}`;
  const plain = withoutPeers(key);
  const at = plain.indexOf('@', 1);
  return value('tarball') ?? (at > 0 && plain.slice(at + 1).includes(':') ? plain.slice(at + 1) : plain);
}

function nameIn(key: string): string {
  const at = key.indexOf('@', 1);
  return at > 0 ? key.slice(0, at) : key;
}

// The package of a key; null for keys of folders, repositories and archives.
export function pnpmPackage(key: string): { name: string; version: string } | null {
  const plain = bareVersion(key.startsWith('/') ? key.slice(1) : key);
  const at = plain.lastIndexOf('@');
  if (at > 0) return versioned(plain.slice(0, at), plain.slice(at + 1));
  const slash = plain.lastIndexOf('/');
  // Only the oldest form writes `/name/version`; other keys with slashes are addresses.
  return slash > 0 && key.startsWith('/') ? versioned(plain.slice(0, slash), plain.slice(slash + 1)) : null;
}

function versioned(name: string, version: string): { name: string; version: string } | null {
  const isName = /^(?:@[^/]+\/)?[^/@:]+$/.test(name);
  return /^\d+(?:\.|$)/.test(version) && isName ? { name, version } : null;
}

function withoutPeers(key: string): string {
  const bracket = key.indexOf('(');
  return bracket === -1 ? key : key.slice(0, bracket);
}

// The version without the peer dependencies that are appended to it.
function bareVersion(text: string): string {
  const plain = withoutPeers(text);
  const slash = plain.lastIndexOf('/');
  const underscore = plain.indexOf('_', Math.max(0, slash));
  // An underscore in a name is part of it; one behind a version begins the peers.
  return underscore > 0 && /^\d/.test(plain.slice(slash + 1)) ? plain.slice(0, underscore) : plain;
}
