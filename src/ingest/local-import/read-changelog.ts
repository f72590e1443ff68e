// The changelog file of a folder on disk.

import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { changelogKind, isIgnoredFolder } from '../../domain/changelog/files.ts';
import { FileRefused, isInside, readRegular, realPathInside } from '../../runtime/regular-file.ts';
import { readDocument } from '../../threads/documents.ts';
import { TaskStopped } from '../../threads/task.ts';
import { chooseChangelogFiles } from '../changelog-files/choose.ts';
import { FILE_READING } from '../changelog-files/download.ts';

export interface LocalFile {
  filename: string;
  text: string;
  hash: string;
  bytes: number;
}

export type FileSkipReason =
  | 'no file'
  | 'unreadable'
  | 'no version heading'
  | 'a link that leaves its folder'
  | 'larger than 10 MB'
  | 'too hard to read';

export type LocalRead = { kind: 'file'; file: LocalFile } | { kind: 'skipped'; reason: FileSkipReason };

// As much as is fetched of a file at once; changelogs are far smaller.
const MAX_BYTES = 10 * 1024 * 1024;

// The changelog of a folder, chosen as it would be chosen in a repository. One that lies outside of `root` is chosen only
// when there is no other, so that it can be reported; it is not read.
export async function changelogPath(folder: string, root: string): Promise<string | null> {
  const tree = (await namesIn(folder)).map((path) => ({ path, hash: null, size: null }));
  const chosen = chooseChangelogFiles(tree).filter(({ path }) => changelogKind(path) !== 'guide');
  const others = tree.filter(({ path }) => isPackagedChangelog(path));
  const paths = [...chosen, ...others].map(({ path }) => join(folder, path));
  for (const path of paths) if (await isFileInside(root, path)) return path;
  for (const path of paths) if (await isFile(path)) return path;
  return null;
}

// Names that packages use beside those that are tracked in repositories.
const PACKAGED =
  /^(?:change-?logs?|changes|history|release[-_ ]?notes?|releases|news|what-?s-?new)(?:\.(?:md|markdown|mdown|mkdn?|mdx|rst|txt|adoc|asciidoc))?$/i;

function isPackagedChangelog(filename: string): boolean {
  return PACKAGED.test(filename);
}

interface ReadOptions {
  // The real path of the folder that the file must lie in; null for a file that a person has named.
  root: string | null;
  signal?: AbortSignal | undefined;
}

export async function readChangelog(path: string | null, { root, signal }: ReadOptions): Promise<LocalRead> {
  if (path === null) return { kind: 'skipped', reason: 'no file' };
  try {
    const real = root === null ? path : await realPathInside(root, path);
    if (real === null) throw new FileRefused('outside');
    const body = await readRegular(real, { most: MAX_BYTES, signal });
    const { text, hash } = await readDocument(FILE_READING, { body }, body.length, signal);
    if (text === null) return { kind: 'skipped', reason: 'unreadable' };
    return { kind: 'file', file: { filename: basename(path), text, hash, bytes: body.length } };
  } catch (error) {
    if (error instanceof FileRefused) return { kind: 'skipped', reason: REASONS[error.refusal] ?? 'unreadable' };
    if (error instanceof TaskStopped) return { kind: 'skipped', reason: 'too hard to read' };
    throw error;
  }
}

const REASONS: Partial<Record<FileRefused['refusal'], FileSkipReason>> = {
  outside: 'a link that leaves its folder',
  too_large: 'larger than 10 MB',
};

// Folders with a `package.json`: those of a node_modules tree in any layout, or of a project with its workspaces. Nothing
// outside of the folder that was named is looked at, wherever a link leads.

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
