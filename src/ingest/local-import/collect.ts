// What there is to import at a path: packages with their metadata, or a plain changelog.
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { readLockfile } from '../../domain/upgrade/lockfiles/index.ts';
import { compareVersionKeys, versionSort } from '../../domain/versions/index.ts';
import { changelogKind, fileNameOf } from '../adapters/changelog/files.ts';
import { chooseChangelogFiles } from '../changelog-files/choose.ts';
import { type ImportHints, type LocalPackage, newestCopies } from './describe.ts';
import { foldersBelow, installedPackages, isFile, isFolder, namesIn, projectPackages } from './find-packages.ts';
import { type PackageMetadata, readPackageJson } from './package-metadata.ts';
import { changelogPath } from './read-changelog.ts';

export type CollectedPackages =
  // `missing` are packages that a lockfile names but that are not installed beside it.
  | { kind: 'packages'; packages: LocalPackage[]; missing?: string[] }
  | { kind: 'problem'; problem: 'not_found' | 'no_packages' | 'needs_names' | 'no_lockfile' };

const NONE: CollectedPackages = { kind: 'problem', problem: 'no_packages' };

// A node_modules folder, or the project that has one.
export async function collectInstalled(path: string): Promise<CollectedPackages> {
  const root = resolve(path);
  if (!(await isFolder(root))) return { kind: 'problem', problem: 'not_found' };
  const inside = join(root, 'node_modules');
  const tree = basename(root) !== 'node_modules' && (await isFolder(inside)) ? inside : root;
  const packages: LocalPackage[] = [];
  for await (const folder of installedPackages(tree)) packages.push(await packageIn(folder, null));
  return packages.length === 0 ? NONE : { kind: 'packages', packages: byLabel(newestCopies(packages, isHigher)) };
}

// What a lockfile names, as far as it is installed in the node_modules folder beside it.
export async function collectLockfile(path: string): Promise<CollectedPackages> {
  const file = resolve(path);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return { kind: 'problem', problem: 'not_found' };
  const locked = readLockfile({ filename: basename(file), text })?.packages.filter(
    ({ ecosystem, source }) => ecosystem === 'npm' && source === 'registry',
  );
  if (!locked?.length) return { kind: 'problem', problem: 'no_lockfile' };
  const wanted = new Set(locked.map(({ name }) => name));
  const packages: LocalPackage[] = [];
  for await (const folder of installedPackages(join(dirname(file), 'node_modules'))) {
    const metadata = await metadataIn(folder);
    if (wanted.has(metadata?.name ?? '')) packages.push(await packageIn(folder, null));
  }
  const installed = new Set(packages.map(({ label }) => label));
  const missing = [...wanted].filter((name) => !installed.has(name)).sort();
  return { kind: 'packages', packages: byLabel(newestCopies(packages, isHigher)), missing };
}

// A changelog file, a package, a project with packages, or a folder with nothing but a changelog in it.
export async function collectChangelogs(path: string, given: ImportHints): Promise<CollectedPackages> {
  const root = resolve(path);
  if (await isFile(root)) {
    const metadata = await metadataIn(dirname(root));
    const label = metadata?.name ?? given.name ?? basename(root);
    return named({ label, metadata, path: root, directory: null }, given);
  }
  if (!(await isFolder(root))) return { kind: 'problem', problem: 'not_found' };
  const packages: LocalPackage[] = [];
  const inRepository = (await namesIn(root)).includes('.git');
  for await (const folder of projectPackages(root)) {
    packages.push(await packageIn(folder, inRepository ? relative(root, folder).split(sep).join('/') : null));
  }
  if (packages.length > 0) return { kind: 'packages', packages: newestCopies(packages, () => false) };
  const plain = await plainChangelog(root);
  return plain === null
    ? NONE
    : named({ label: given.name ?? basename(root), metadata: null, path: plain, directory: null }, given);
}

function named(one: LocalPackage, given: ImportHints): CollectedPackages {
  const isNamed = one.metadata?.name || (given.org && given.name);
  return isNamed ? { kind: 'packages', packages: [one] } : { kind: 'problem', problem: 'needs_names' };
}

async function packageIn(folder: string, directory: string | null): Promise<LocalPackage> {
  const metadata = await metadataIn(folder);
  const label = metadata?.name ?? basename(folder);
  return { label, metadata, path: await changelogPath(folder), directory, isBroken: metadata === null };
}

async function metadataIn(folder: string): Promise<PackageMetadata | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
  return text === null ? null : readPackageJson(text);
}

async function plainChangelog(root: string): Promise<string | null> {
  const tree: { path: string; hash: null; size: null }[] = [];
  for await (const folder of foldersBelow(root)) {
    for (const name of await namesIn(folder)) {
      if (changelogKind(name) === null || !(await isFile(join(folder, name)))) continue;
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
