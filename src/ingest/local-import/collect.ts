// What there is to import at a path: packages with their metadata, or a plain changelog.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { changelogKind, fileNameOf } from '../../domain/changelog/files.ts';
import { compareVersionKeys, versionSort } from '../../domain/versions/index.ts';
import { FileRefused, readRegular, realPathInside } from '../../runtime/regular-file.ts';
import { readDocument } from '../../threads/documents.ts';
import { TaskStopped } from '../../threads/task.ts';
import { chooseChangelogFiles } from '../changelog-files/choose.ts';
import { type ImportHints, type LocalPackage, newestCopies } from './describe.ts';
import { LOCKFILE_READING } from './lockfile-names.ts';
import { type PackageMetadata, readPackageJson } from './package-metadata.ts';
import {
  changelogPath,
  foldersBelow,
  installedPackages,
  isFile,
  isFileInside,
  isFolder,
  isThere,
  namesIn,
  projectPackages,
} from './read-changelog.ts';

export type CollectedPackages = FoundPackages | { kind: 'problem'; problem: CollectProblem };

interface FoundPackages {
  kind: 'packages';
  packages: LocalPackage[];
  // Packages that a lockfile names but that are not installed beside it.
  missing?: string[];
  // Packages whose folder is a link that leaves the folder that was named.
  outside?: string[];
}

export type CollectProblem =
  | 'not_found'
  | 'not_regular'
  | 'too_large'
  | 'too_hard'
  | 'no_packages'
  | 'needs_names'
  | 'no_lockfile';

const NONE: CollectedPackages = { kind: 'problem', problem: 'no_packages' };

const MAX_METADATA_LENGTH = 1024 * 1024;
// Far beyond the lockfiles of the largest projects.
const MAX_LOCKFILE_LENGTH = 64 * 1024 * 1024;

// A node_modules folder, or the project that has one.
export async function collectInstalled(path: string): Promise<CollectedPackages> {
  const root = await realFolder(path);
  if (root === null) return { kind: 'problem', problem: 'not_found' };
  const inside = join(root, 'node_modules');
  const tree = basename(root) !== 'node_modules' && (await isFolder(inside)) ? inside : root;
  const { packages, outside } = await installedIn(root, tree, () => true);
  return packages.length + outside.length === 0 ? NONE : { kind: 'packages', packages, outside };
}

// What a lockfile names, as far as it is installed in the node_modules folder beside it.
export async function collectLockfile(path: string): Promise<CollectedPackages> {
  const file = resolve(path);
  const read = await lockedNames(file);
  if (!Array.isArray(read)) return { kind: 'problem', problem: read };
  if (read.length === 0) return { kind: 'problem', problem: 'no_lockfile' };
  const root = (await realFolder(dirname(file))) ?? dirname(file);
  const wanted = new Set(read);
  const { packages, outside } = await installedIn(root, join(root, 'node_modules'), (name) => wanted.has(name));
  const installed = new Set([...packages.map(({ label }) => label), ...outside]);
  const missing = [...wanted].filter((name) => !installed.has(name)).sort();
  return { kind: 'packages', packages, missing, outside };
}

// Packages whose folders are known.
export async function collectFolders(folders: readonly string[]): Promise<LocalPackage[]> {
  const packages: LocalPackage[] = [];
  for (const folder of folders) packages.push(await packageIn(folder, { root: folder, directory: null }));
  return byLabel(newestCopies(packages, isHigher));
}

async function lockedNames(file: string): Promise<string[] | CollectProblem> {
  try {
    const text = (await readRegular(file, { most: MAX_LOCKFILE_LENGTH })).toString('utf8');
    return await readDocument(LOCKFILE_READING, { filename: basename(file), text }, text.length);
  } catch (error) {
    if (error instanceof TaskStopped) return 'too_hard';
    if (!(error instanceof FileRefused)) throw error;
    return error.refusal === 'not_regular' || error.refusal === 'too_large' ? error.refusal : 'not_found';
  }
}

async function installedIn(root: string, tree: string, isWanted: (name: string) => boolean) {
  const packages: LocalPackage[] = [];
  const outside: string[] = [];
  for await (const { folder, label, isOutside } of installedPackages(root, tree)) {
    if (isOutside) {
      if (isWanted(label)) outside.push(label);
      continue;
    }
    // Its files lie in its own folder: packages hold no links, and what lies beside it belongs to others.
    const one = await packageIn(folder, { root: folder, directory: null });
    if (isWanted(one.metadata?.name ?? '')) packages.push(one);
  }
  return { packages: byLabel(newestCopies(packages, isHigher)), outside: outside.sort() };
}

async function realFolder(path: string): Promise<string | null> {
  const real = await realpath(resolve(path)).catch(() => null);
  return real !== null && (await isFolder(real)) ? real : null;
}

// A changelog file, a package, a project with packages, or a folder with nothing but a changelog in it.
export async function collectChangelogs(path: string, given: ImportHints): Promise<CollectedPackages> {
  const file = resolve(path);
  if (await isFile(file)) {
    const beside = (await realFolder(dirname(file))) ?? dirname(file);
    const metadata = await metadataIn(beside, beside);
    const label = metadata?.name ?? given.name ?? basename(file);
    return named({ label, metadata, path: file, root: null, directory: null }, given);
  }
  const root = await realFolder(path);
  if (root === null) return { kind: 'problem', problem: (await isThere(file)) ? 'not_regular' : 'not_found' };
  const packages: LocalPackage[] = [];
  const inRepository = (await namesIn(root)).includes('.git');
  for await (const folder of projectPackages(root)) {
    const directory = inRepository ? relative(root, folder).split(sep).join('/') : null;
    packages.push(await packageIn(folder, { root, directory }));
  }
  if (packages.length > 0) return { kind: 'packages', packages: newestCopies(packages, () => false) };
  const plain = await plainChangelog(root);
  return plain === null
    ? NONE
    : named({ label: given.name ?? basename(root), metadata: null, path: plain, root, directory: null }, given);
}

function named(one: LocalPackage, given: ImportHints): CollectedPackages {
  const isNamed = one.metadata?.name || (given.org && given.name);
  return isNamed ? { kind: 'packages', packages: [one] } : { kind: 'problem', problem: 'needs_names' };
}

async function packageIn(
  folder: string,
  { root, directory }: { root: string; directory: string | null },
): Promise<LocalPackage> {
  const metadata = await metadataIn(folder, root);
  const label = metadata?.name ?? basename(folder);
  return { label, metadata, path: await changelogPath(folder, root), root, directory, isBroken: metadata === null };
}

async function metadataIn(folder: string, root: string): Promise<PackageMetadata | null> {
  try {
    const path = await realPathInside(root, join(folder, 'package.json'));
    if (path === null) return null;
    return readPackageJson((await readRegular(path, { most: MAX_METADATA_LENGTH })).toString('utf8'));
  } catch (error) {
    if (error instanceof FileRefused) return null;
    throw error;
  }
}

async function plainChangelog(root: string): Promise<string | null> {
  const tree: { path: string; hash: null; size: null }[] = [];
  for await (const folder of foldersBelow(root)) {
    for (const name of await namesIn(folder)) {
      if (changelogKind(name) === null || !(await isFileInside(root, join(folder, name)))) continue;
      tree.push({ path: relative(root, join(folder, name)).split(sep).join('/'), hash: null, size: null });
    }
  }
  const chosen = chooseChangelogFiles(tree).find(({ path }) => changelogKind(fileNameOf(path)) !== 'guide');
  return chosen ? join(root, chosen.path) : null;
}

function isHigher(a: string, b: string): boolean {
  return compareVersionKeys(versionSort(a) ?? '', versionSort(b) ?? '') > 0;
}

function byLabel(packages: LocalPackage[]): LocalPackage[] {
  return packages.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
}
