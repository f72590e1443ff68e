// Folders with a `package.json`: those of a node_modules tree in any layout, or of a project with its workspaces.
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isIgnoredFolder } from '../adapters/changelog/files.ts';

const DEEPEST = 12;

export async function isFile(path: string): Promise<boolean> {
  return (await statOf(path))?.isFile() ?? false;
}

export async function isFolder(path: string): Promise<boolean> {
  return (await statOf(path))?.isDirectory() ?? false;
}

// Null for what is missing or may not be looked at.
async function statOf(path: string) {
  return stat(path).catch(() => null);
}

// Names in a folder, in a fixed order; none for a folder that cannot be read.
export async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.sort((a, b) => (a < b ? -1 : 1));
}

// Every package below a node_modules folder: scoped, nested, and those that pnpm keeps beside the tree. Links are
// followed once, so that linked packages are found and circles end.
export async function* installedPackages(root: string): AsyncGenerator<string> {
  const seen = new Set<string>();
  const waiting = [root];
  for (let tree = waiting.pop(); tree !== undefined; tree = waiting.pop()) {
    for (const folder of await packageFolders(tree)) {
      const real = await realpath(folder).catch(() => null);
      if (real === null || seen.has(real) || !(await isFolder(real))) continue;
      seen.add(real);
      if (await isFile(join(real, 'package.json'))) yield real;
      const nested = join(real, 'node_modules');
      if (await isFolder(nested)) waiting.push(nested);
    }
    const store = join(tree, '.pnpm');
    for (const name of await namesIn(store)) waiting.push(join(store, name, 'node_modules'));
  }
}

async function packageFolders(tree: string): Promise<string[]> {
  const folders: string[] = [];
  for (const name of await namesIn(tree)) {
    if (name.startsWith('.')) continue;
    if (!name.startsWith('@')) folders.push(join(tree, name));
    else for (const scoped of await namesIn(join(tree, name))) folders.push(join(tree, name, scoped));
  }
  return folders;
}

// The packages of a project, its own folder first. Links are not followed: what they lead to lies elsewhere, too.
export async function* projectPackages(root: string): AsyncGenerator<string> {
  for await (const folder of foldersBelow(root)) {
    if (await isFile(join(folder, 'package.json'))) yield folder;
  }
}

// A folder and those below it, nearest first, without those of other people's code and of tools.
export async function* foldersBelow(root: string): AsyncGenerator<string> {
  let level = [root];
  for (let depth = 0; level.length > 0 && depth <= DEEPEST; depth += 1) {
    const below: string[] = [];
    for (const folder of level) {
      yield folder;
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      const folders = entries.filter(
        (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !isIgnoredFolder(entry.name),
      );
      below.push(...folders.map(({ name }) => join(folder, name)).sort((a, b) => (a < b ? -1 : 1)));
    }
    level = below;
  }
}
