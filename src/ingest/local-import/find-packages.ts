// Folders with a `package.json`: those of a node_modules tree in any layout, or of a project with its workspaces. Nothing
// outside of the folder that was named is looked at, wherever a link leads.
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isInside, realPathInside } from '../../store/regular-file.ts';
import { isIgnoredFolder } from '../adapters/changelog/files.ts';

const DEEPEST = 12;

// A regular file that lies inside of the folder, all links followed. `folder` must be a real path.
export async function isFileInside(folder: string, path: string): Promise<boolean> {
  const real = await realPathInside(folder, path).catch(() => null);
  return real !== null && (await isFile(real));
}

export async function isFile(path: string): Promise<boolean> {
  return (await statOf(path))?.isFile() ?? false;
}

export async function isFolder(path: string): Promise<boolean> {
  return (await statOf(path))?.isDirectory() ?? false;
}

export async function isThere(path: string): Promise<boolean> {
  return (await statOf(path)) !== null;
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

interface FoundPackage {
  // The real path of its folder.
  folder: string;
  // Its folder is a link that leaves the folder that was named, so that it is only reported.
  isOutside: boolean;
  // What it is called in the tree.
  label: string;
}

// Every package below a node_modules folder: scoped, nested, and those that pnpm keeps beside the tree. Each folder and
// each tree is looked at once, so that linked packages are found and circles end. `root` must be a real path.
export async function* installedPackages(root: string, top: string): AsyncGenerator<FoundPackage> {
  const seen = new Set<string>();
  const waiting = [top];
  for (let link = waiting.pop(); link !== undefined; link = waiting.pop()) {
    const tree = await realPathInside(root, link).catch(() => null);
    if (tree === null || seen.has(tree)) continue;
    seen.add(tree);
    for (const path of await packageFolders(tree)) {
      const folder = await realpath(path).catch(() => null);
      if (folder === null || seen.has(folder) || !(await isFolder(folder))) continue;
      seen.add(folder);
      const label = relative(tree, path).split(sep).join('/');
      if (!isInside(root, folder)) {
        yield { folder, label, isOutside: true };
        continue;
      }
      if (await isFileInside(folder, join(folder, 'package.json'))) yield { folder, label, isOutside: false };
      waiting.push(join(folder, 'node_modules'));
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

// The packages of a project, its own folder first. Links to folders are not followed: what they lead to lies elsewhere, too.
export async function* projectPackages(root: string): AsyncGenerator<string> {
  for await (const folder of foldersBelow(root)) {
    if (await isFileInside(root, join(folder, 'package.json'))) yield folder;
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
