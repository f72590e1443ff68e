// bun.lock: packages by the path of names under which they are found.
import { entriesIn, type JsonObject, objectOf } from './json-text.ts';
import { shortRef } from './npm.ts';
import { elsewhere, manifestNeeds } from './npm-specs.ts';
import { type LockedNode, markReach } from './reach.ts';
import { type LockedPackage, PackageList } from './types.ts';

export function readBunLock(json: JsonObject): PackageList {
  const list = new PackageList('npm');
  const nodes = new Map<string, LockedNode>();
  const needed: [path: string, name: string, optional: boolean][] = [];
  for (const [path, value] of entriesIn(json.packages)) {
    const parts: unknown[] = Array.isArray(value) ? value : [];
    const locked = typeof parts[0] === 'string' ? bunCopy(list, parts[0], path) : null;
    if (!locked) continue;
    nodes.set(path, { locked, needs: [] });
    const described = parts.map(objectOf).find((one) => one !== null) ?? {};
    const mayMiss = new Set(Array.isArray(described.optionalPeers) ? described.optionalPeers : []);
    for (const block of ['dependencies', 'optionalDependencies', 'peerDependencies'] as const) {
      for (const [name] of entriesIn(described[block])) {
        const isPeer = block === 'peerDependencies';
        if (!isPeer || !mayMiss.has(name)) needed.push([path, name, block === 'optionalDependencies']);
      }
    }
  }
  for (const [path, name, optional] of needed) {
    const node = found(nodes, path, name);
    if (node !== null) nodes.get(path)?.needs.push({ node, optional });
  }
  const workspaces = entriesIn(json.workspaces).map(([folder, value]) => [folder, objectOf(value) ?? {}] as const);
  const roots = workspaces.flatMap(([folder, entry]) =>
    manifestNeeds(folder, entry).flatMap((need) => {
      const node = found(nodes, typeof entry.name === 'string' && folder !== '' ? entry.name : '', need.installedAs);
      const locked = node === null ? undefined : nodes.get(node)?.locked;
      if (node === null || !locked) return [];
      list.name(folder, need.installedAs, locked);
      return [{ node, dev: need.dev, optional: need.optional }];
    }),
  );
  markReach(nodes, roots);
  list.knowsDirect();
  return list;
}

// The copy of an entry such as `ms@2.0.0` or `tool@git+https://…#commit`; null for the workspaces of the project.
export function bunCopy(list: PackageList, text: string, place: string): LockedPackage | null {
  const at = text.indexOf('@', 1);
  if (at === -1) return null;
  const [name, version] = [text.slice(0, at), text.slice(at + 1)];
  if (/^(?:workspace|root):/.test(version)) return null;
  const other = elsewhere(version);
  if (other) return list.add(name, shortRef(other.ref), { ...other, place });
  const archive = /\/-\/[^/]*?-(\d[\w.+-]*)\.tgz/i.exec(version)?.[1];
  return list.add(name, archive ?? version, { place });
}

const DEEPEST = 50;

// The entry that a package of this name is for the package at a path: the nearest one from the inside to the outside.
function found(nodes: ReadonlyMap<string, LockedNode>, path: string, name: string): string | null {
  let around = path;
  for (let depth = 0; depth < DEEPEST && around !== ''; depth += 1) {
    const inside = `${around}/${name}`;
    if (nodes.has(inside)) return inside;
    around = around.slice(0, Math.max(0, around.lastIndexOf('/')));
    // A scope is not a package of its own.
    if (/(?:^|\/)@[^/]*$/.test(around)) around = around.slice(0, Math.max(0, around.lastIndexOf('/')));
  }
  return nodes.has(name) ? name : null;
}
